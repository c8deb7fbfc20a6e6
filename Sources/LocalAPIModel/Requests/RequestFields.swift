/// The body of a request, with the list of its fields. Anything else in it is refused.
package protocol RequestFields: Codable, Sendable {
    associatedtype CodingKeys: CodingKey & CaseIterable

    /// The fields in which null has a meaning of its own; in all others it is refused.
    static var nullable: Set<String> { get }
}

extension RequestFields {
    package static var nullable: Set<String> { [] }
}
