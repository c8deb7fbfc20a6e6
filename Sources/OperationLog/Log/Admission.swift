/// What became of a batch handed to the log. A batch is taken, waits, or is ignored as a whole.
public enum Admission: Hashable, Sendable {
    /// The operations that were new are in the log, in causal order, and everything they depend on.
    case admitted([AdmittedOperation])
    /// The batch waits for operations this replica has not received.
    case pending(missing: Set<OperationID>)
    /// Every operation was in the log already.
    case duplicate
    /// An operation breaks a rule by its own past, so forever and for everybody: the batch is ignored.
    case inadmissible(OperationID, Inadmissibility)
}

/// An operation that has just entered the log.
public struct AdmittedOperation: Hashable, Sendable {
    /// The operation.
    public let operation: Operation
    /// The time by which it is ordered, in milliseconds since 1970; in the membership lane the time it claims, which
    /// whoever shows that lane lifts above its parents'.
    public let hybridTime: Int64
    /// Whether the log held another operation of this device at this place: proof that the device forked its chain.
    public let provesFork: Bool

    init(operation: Operation, hybridTime: Int64, provesFork: Bool) {
        self.operation = operation
        self.hybridTime = hybridTime
        self.provesFork = provesFork
    }

    /// Describes an operation that was admitted earlier, and whose body came later.
    public init(_ operation: Operation, admittedAt placement: Placement) {
        self.init(operation: operation, hybridTime: placement.hybridTime, provesFork: false)
    }

    /// The same operation without its body.
    public var withoutBody: AdmittedOperation {
        AdmittedOperation(operation: operation.withoutBody, hybridTime: hybridTime, provesFork: provesFork)
    }
}

/// Why an operation can never enter the log of any replica.
public enum Inadmissibility: String, Error, Hashable, Sendable {
    /// It names another conversation.
    case foreignConversation = "foreign_conversation"
    /// Its `prev` is not the operation before it on its device's chain.
    case brokenChain = "broken_chain"
    /// Its device belongs to no user who has or had a grant or an invite in its past.
    case unknownAuthor = "unknown_author"
    /// A tombstone of its device is in its past.
    case deviceTakenOut = "device_taken_out"
    /// It is content, and its author is no member after the membership past it names.
    case notAMember = "not_a_member"
    /// It joins by an invite by code and does not show that its author holds the code, or shows a proof that nobody
    /// asked for.
    case unprovenJoin = "unproven_join"
    /// Its membership past lacks something that its parents' has.
    case pastsDoNotNest = "pasts_do_not_nest"
    /// Its body is no canonical encoding of what its type needs.
    case malformedBody = "malformed_body"
    /// Its type has no place in this kind of conversation or lane.
    case misplacedType = "misplaced_type"
}
