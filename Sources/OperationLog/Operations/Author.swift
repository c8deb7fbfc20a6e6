import Cryptography

/// A device that can sign: it writes the operations of one commit and signs the last of each chain.
public struct Author: Sendable {
    /// The device.
    public let device: Device
    private let key: SigningKey

    /// Joins a device key to its user.
    public init(user: UserID, key: SigningKey) {
        device = Device(user: user, key: key.verifyingKey)
        self.key = key
    }

    /// Writes one signed operation.
    ///
    /// - Parameter signing: false in the middle of a burst, whose last operation carries the signature for all before
    ///   it.
    /// - Complexity: two hashes; with a signature about 40 µs.
    public func write(_ header: OperationHeader, body: [UInt8], signing: Bool = true) -> Operation {
        precondition(header.device == device.id, "an author writes in its own chain")
        precondition(signing || header.lane == .content, "membership operations carry their own signature")
        let id = Operation.id(of: header.encoded)
        let signature = signing ? key.sign(Operation.statement(of: id)) : nil
        return Operation(authentic: header, id: id, author: device, body: body, signature: signature)
    }

    /// Signs a statement that is no operation, for example the proof of a channel.
    public func sign(_ statement: Statement) -> Signature {
        key.sign(statement.bytes)
    }
}
