/// How people whom discovery does not reach can find this node.
public struct ContactDescription: Hashable, Sendable, Codable {
    /// One line of text, made for `POST /people` of another node.
    public var code: String
    /// The addresses in it, `host:port` each.
    public var addresses: [String]

    package init(code: String, addresses: [String]) {
        self.code = code
        self.addresses = addresses
    }
}
