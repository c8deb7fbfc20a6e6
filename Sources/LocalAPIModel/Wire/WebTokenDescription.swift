/// What a program needs to use the API on loopback.
public struct WebTokenDescription: Hashable, Sendable, Codable {
    /// The bearer token, good until the node stops.
    public var token: String
    /// Where the API is.
    public var origin: String

    package init(token: String, origin: String) {
        self.token = token
        self.origin = origin
    }
}
