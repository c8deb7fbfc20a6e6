/// An address that opens the node in a browser, once.
public struct WebAddressDescription: Hashable, Sendable, Codable {
    /// Where to go; whoever goes there first is let in, so it is a secret until then.
    public var address: String
    /// Seconds it works from now on.
    public var expiresInSeconds: Int

    package init(address: String, expiresInSeconds: Int) {
        self.address = address
        self.expiresInSeconds = expiresInSeconds
    }
}
