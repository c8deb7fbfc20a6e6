import Cryptography
import OperationLog

/// A user with one device.
public struct Person: Sendable {
    /// The root key.
    public let root: SigningKey
    /// The device, ready to sign.
    public let author: Author

    /// The user.
    public var user: UserID { UserID(root.verifyingKey) }
    /// The device's id.
    public var device: DeviceID { author.device.id }

    /// Makes both keys.
    public init(using random: inout some RandomNumberGenerator) {
        self.init(root: .generate(using: &random), using: &random)
    }

    /// Makes a device of a root.
    public init(root: SigningKey, using random: inout some RandomNumberGenerator) {
        self.root = root
        author = Author(user: UserID(root.verifyingKey), key: SigningKey.generate(using: &random))
    }
}
