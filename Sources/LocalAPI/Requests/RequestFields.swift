/// The body of a request, with the list of its fields. Anything else in it is refused.
protocol RequestFields: Codable, Sendable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}
