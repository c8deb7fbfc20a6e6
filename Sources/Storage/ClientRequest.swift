import Cryptography
import OperationLog

/// A request to send messages to which a client gave a name, so that asking again sends nothing twice.
///
/// It is stored with the messages in one transaction: a crash keeps both or neither.
public struct ClientRequest: Hashable, Sendable {
    /// How long a request is remembered, in milliseconds: seven days.
    public static let lifetime: Int64 = 7 * 86_400_000
    /// How many requests a node remembers; of more, the newest.
    public static let maximumCount = 100_000

    /// A hash of the conversation and of what the client calls the request.
    public let name: Digest
    /// What was asked for, sealed for rest: a hash in the clear would confirm a guess at the text.
    public let sealed: [UInt8]

    /// Names a request.
    public init(name: Digest, sealed: [UInt8]) {
        (self.name, self.sealed) = (name, sealed)
    }
}

/// What is remembered of a ``ClientRequest``.
public struct StoredClientRequest: Hashable, Sendable {
    /// What was asked for, sealed for rest.
    public let sealed: [UInt8]
    /// The messages that it made, in their order.
    public let made: [OperationID]

    /// Describes what is stored.
    public init(sealed: [UInt8], made: [OperationID]) {
        (self.sealed, self.made) = (sealed, made)
    }
}
