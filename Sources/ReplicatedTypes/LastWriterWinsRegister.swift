/// A value of which the write with the greatest stamp counts.
///
/// Stamps decide alone, so they must be unique: two writes with one stamp are the same write. A logical stamp (a Lamport clock and
/// the writer's name) makes a later write beat what its author saw, and no wall clock can capture the register.
///
/// Merging takes the greater stamp, so it is associative, commutative and idempotent; a register is its own delta. All O(1).
///
/// Shapiro et al., "Conflict-free Replicated Data Types" (SSS 2011); Johnson and Thomas, RFC 677 (1975).
public struct LastWriterWinsRegister<Value: Hashable & Sendable, Stamp: Hashable & Comparable & Sendable>:
    Hashable, Sendable
{
    /// The value, or nil while nothing was written.
    public private(set) var value: Value?
    /// When it was written.
    public private(set) var stamp: Stamp?

    /// Holds nothing.
    public init() {}

    /// Writes a value; the write counts if its stamp is the greatest so far.
    public mutating func write(_ value: Value, at stamp: Stamp) {
        if let current = self.stamp, current >= stamp { return }
        self.value = value
        self.stamp = stamp
    }

    /// Takes over another replica's register, which is its own delta. O(1).
    public mutating func merge(_ other: LastWriterWinsRegister) {
        if let value = other.value, let stamp = other.stamp { write(value, at: stamp) }
    }

    /// What both registers are together.
    public func merging(_ other: LastWriterWinsRegister) -> LastWriterWinsRegister {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether merging the other one would change nothing.
    public func includes(_ other: LastWriterWinsRegister) -> Bool {
        guard let theirs = other.stamp else { return true }
        return stamp.map { theirs <= $0 } ?? false
    }
}
