/// The body of a request, with the list of its fields. Anything else in it is refused.
package protocol RequestFields: Codable, Sendable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}
