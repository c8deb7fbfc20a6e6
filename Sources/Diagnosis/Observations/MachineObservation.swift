/// What a host has for a node: memory, files it may open, and a clock.
public struct MachineObservation: Hashable, Sendable {
    /// Files and sockets that a process may have open.
    public var descriptorLimit: UInt64?
    /// Bytes of memory that programs can still have.
    public var availableMemory: UInt64?
    /// Whether something keeps the clock right; nil where that cannot be seen.
    public var isClockSynchronized: Bool?

    /// Describes a host.
    public init(descriptorLimit: UInt64?, availableMemory: UInt64?, isClockSynchronized: Bool?) {
        self.descriptorLimit = descriptorLimit
        self.availableMemory = availableMemory
        self.isClockSynchronized = isClockSynchronized
    }
}
