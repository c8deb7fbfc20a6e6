import OperationLog

/// Whom the user marked, as versions kept it that wrote whole lists.
public struct EarlierPersonMarks: Hashable, Sendable {
    /// Whom the user blocked, sealed for rest; nil where they blocked nobody.
    public let blocked: [UInt8]?
    /// With whom codes were compared, sealed for rest; nil where that is only in ``verifiedUsers``.
    public let verified: [UInt8]?
    /// With whom codes were compared, as versions kept it that told no other device.
    public let verifiedUsers: [UserID]

    /// Names what is kept; nil where nothing is.
    public init?(blocked: [UInt8]?, verified: [UInt8]?, verifiedUsers: [UserID]) {
        guard blocked != nil || verified != nil || !verifiedUsers.isEmpty else { return nil }
        (self.blocked, self.verified, self.verifiedUsers) = (blocked, verified, verifiedUsers)
    }
}
