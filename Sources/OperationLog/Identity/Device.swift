import Cryptography

/// A device and the user it says it belongs to.
///
/// The id commits to both keys. That the root *certified* the device is for an ``IdentityRecord`` to prove.
public struct Device: Hashable, Sendable {
    /// The id that headers, frontiers and evidence name.
    public let id: DeviceID
    /// The user it belongs to.
    public let user: UserID
    /// The key that signs its operations.
    public let key: VerifyingKey

    /// Derives the id. Costs one hash.
    public init(user: UserID, key: VerifyingKey) {
        self.user = user
        self.key = key
        id = DeviceID(digest: .hash("moot/1/device", user.digest.bytes, key.bytes))
    }
}
