/// How people whom discovery does not reach can find this node.
public struct ContactDescription: Hashable, Sendable, Codable {
    /// One line of text, made for `POST /people` of another node.
    public var code: String
    /// The same as a QR code, an SVG document; absent where it is too long for one.
    public var qr: String?
    /// The addresses in it, `host:port` each.
    public var addresses: [String]

    package init(code: String, qr: String? = nil, addresses: [String]) {
        self.code = code
        self.qr = qr
        self.addresses = addresses
    }
}
