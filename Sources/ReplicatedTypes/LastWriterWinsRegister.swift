/// A value of which the write with the greatest stamp counts.
///
/// A logical stamp (a Lamport clock and the writer's name) makes a later write beat what its author saw, and no wall
/// clock can capture the register.
///
/// Merging keeps the write with the greater stamp, the least upper bound of the order ``includes(_:)``, so it is
/// associative, commutative and idempotent, and no write and no merge leads back to a smaller stamp. Of all writes only
/// one is kept: a register is its own delta, whoever merges it. Everything is O(1), but for the comparison of stamps.
///
/// Stamps decide alone, so they must be unique: **two writes with the same stamp must be the same write.** Of two that
/// are not, each replica keeps the one it heard first.
///
/// Johnson and Thomas, "The Maintenance of Duplicate Databases" (RFC 677, 1975); Shapiro, Preguiça, Baquero and
/// Zawirski, "A Comprehensive Study of Convergent and Commutative Replicated Data Types" (INRIA RR-7506, 2011), section
/// 3.2.1.
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
    ///
    /// - Precondition: no other value is written at this stamp, at any replica.
    public mutating func write(_ value: Value, at stamp: Stamp) {
        if let current = self.stamp, current >= stamp { return }
        self.value = value
        self.stamp = stamp
    }

    /// Takes over another replica's register, which is its own delta.
    public mutating func merge(_ other: LastWriterWinsRegister) {
        if let value = other.value, let stamp = other.stamp { write(value, at: stamp) }
    }

    /// What both registers are together.
    public func merging(_ other: LastWriterWinsRegister) -> LastWriterWinsRegister {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether every write the other one has seen is here or was beaten here: merging it would change nothing.
    public func includes(_ other: LastWriterWinsRegister) -> Bool {
        guard let theirs = other.stamp else { return true }
        return stamp.map { theirs <= $0 } ?? false
    }
}
