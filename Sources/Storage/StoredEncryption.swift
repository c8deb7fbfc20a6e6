import OperationLog
import Time

/// A secret key of this device to which others seal, as it is stored.
public struct SealedWrapSecret: Hashable, Sendable {
    /// The counter of its record.
    public let counter: UInt64
    /// The secret, sealed.
    public let sealed: [UInt8]
    /// When it was made, by this node's clock.
    public let madeAt: Timestamp
    /// When another took its place; nil for the one in use.
    public let retiredAt: Timestamp?

    /// Describes a secret.
    public init(counter: UInt64, sealed: [UInt8], madeAt: Timestamp, retiredAt: Timestamp? = nil) {
        self.counter = counter
        self.sealed = sealed
        self.madeAt = madeAt
        self.retiredAt = retiredAt
    }
}

/// What a commit settles about bodies and keys.
public struct EncryptionCommit: Sendable {
    /// Keys of epochs that this device holds now, sealed for rest.
    public var keys: [OperationID: [UInt8]] = [:]
    /// Operations whose bodies are for the members of another moment.
    public var closed: Set<OperationID> = []
    /// Operations whose bodies are for this device and have not come.
    public var wanted: Set<OperationID> = []
    /// Operations whose bodies are for this device and have no room here.
    public var declined: Set<OperationID> = []
    /// Operations that are not shown, as ``ReplicaStorage/withhold(_:showing:in:)`` says; none of them is wanted.
    public var withheld: Set<OperationID> = []
    /// Where the annotations lead whose bodies are here, as far as they open.
    public var links: [OperationID: AnnotationLink] = [:]
    /// Operations, here before or among those committed, that their author takes back: their bodies go for good, and
    /// are not wanted.
    public var takenBack: Set<OperationID> = []

    /// Settles nothing.
    public init() {}
}

/// What a conversation has of keys, and which bodies it lacks.
public struct StoredEncryption: Sendable {
    /// The epoch, complaint and wrap operations, in the order of arrival.
    public let operations: [Operation]
    /// Keys of epochs, sealed for rest.
    public let keys: [OperationID: [UInt8]]
    /// Epochs whose keys were here and were erased.
    public let erased: Set<OperationID>
    /// The bodies that are for this device and have not come, in the order of arrival.
    public let wanted: [WantedBody]

    /// Puts the parts together.
    public init(
        operations: [Operation], keys: [OperationID: [UInt8]], erased: Set<OperationID>, wanted: [WantedBody]
    ) {
        self.operations = operations
        self.keys = keys
        self.erased = erased
        self.wanted = wanted
    }
}
