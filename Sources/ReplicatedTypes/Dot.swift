/// One event of one replica: the name that an addition to a set gets, never given twice.
///
/// Almeida, Baquero, Gonçalves, Preguiça and Fonte, "Scalable and Accurate Causality Tracking for Eventually Consistent
/// Stores" (DAIS 2014), where a dot is the event that a dotted version vector singles out.
@frozen
public struct Dot<Replica: Hashable & Sendable>: Hashable, Sendable {
    /// Where it happened.
    public let replica: Replica
    /// Its number there, from 1.
    public let counter: UInt64

    /// Names an event.
    @inlinable
    public init(replica: Replica, counter: UInt64) {
        precondition(counter > 0, "events are counted from 1")
        self.replica = replica
        self.counter = counter
    }

    // Written out, since what the compiler derives is not inlinable.
    /// Whether both name the same event.
    @inlinable
    public static func == (one: Dot, other: Dot) -> Bool {
        one.counter == other.counter && one.replica == other.replica
    }
}
