/// A code by which one person can join a group, as it is shown once.
public struct NewCodeDescription: Hashable, Sendable, Codable {
    /// The id of the invite.
    public var id: String
    /// The id of the group.
    public var conversation: String
    /// One line of text, made for `POST /join` of another node. A secret until it is used.
    public var code: String
    /// The same as a QR code, an SVG document; absent where it is too long for one.
    public var qr: String?
    /// When it ends.
    public var expiresAt: String
    /// The addresses in it, `host:port` each.
    public var addresses: [String]

    package init(
        id: String, conversation: String, code: String, qr: String? = nil, expiresAt: String, addresses: [String]
    ) {
        self.id = id
        self.conversation = conversation
        self.code = code
        self.qr = qr
        self.expiresAt = expiresAt
        self.addresses = addresses
    }
}

/// A code by which somebody could join a group now.
public struct CodeDescription: Hashable, Sendable, Codable {
    /// The id of the invite.
    public var id: String
    /// The id of the person who made it.
    public var inviter: String
    /// What that person is called.
    public var inviterName: String
    /// When it ends.
    public var expiresAt: String

    package init(id: String, inviter: String, inviterName: String, expiresAt: String) {
        self.id = id
        self.inviter = inviter
        self.inviterName = inviterName
        self.expiresAt = expiresAt
    }
}
