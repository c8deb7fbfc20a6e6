import Cryptography
import OperationLog

extension Person {
    /// The key to which others seal for this person's device.
    public var wrapKey: AgreementKey {
        let secret = Digest.hash("moot/1/test-wrap-key", author.device.key.bytes).bytes
        guard let key = AgreementKey(secret: secret) else { preconditionFailure("32 bytes are a key") }
        return key
    }

    /// What others know of the person: one device and its first key.
    public var credentials: Credentials {
        Credentials(
            identity: IdentityRecord(
                root: root, serial: 1, devices: [.init(device: author.device, name: "laptop")]),
            wraps: [WrapRecord(by: author, counter: 1, key: wrapKey.publicKey)])
    }

    /// What the person shows of themselves; nil if that breaks the limits of a card.
    public func card(version: UInt64 = 1, name: String = "Alice", photo: [UInt8] = []) -> ProfileCard? {
        ProfileCard(root: root, version: version, name: name, photo: photo, identity: credentials.identity)
    }
}
