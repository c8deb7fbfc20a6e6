extension Diagnosis {
    /// A node raises its limit to what it wants, as far as this one lets it.
    private static let fewDescriptors: UInt64 = 1_024
    private static let lowMemory: UInt64 = 64 << 20

    /// What the host lacks for a node.
    var machineFindings: [Finding] { [fewDescriptors, lowMemory, clockUnsynchronized].compactMap { $0 } }

    private var fewDescriptors: Finding? {
        guard let limit = host.machine.descriptorLimit, limit < Self.fewDescriptors else { return nil }
        return Finding(
            .fewDescriptors, about: "open files", measured: "A process may have \(limit) files and sockets open.",
            meaning: "With many peers and clients the node runs out of them.",
            remedy: "ulimit -n 1024, or LimitNOFILE=1024 in the unit")
    }

    private var lowMemory: Finding? {
        guard let bytes = host.machine.availableMemory, bytes < Self.lowMemory else { return nil }
        return Finding(
            .lowMemory, about: "memory", measured: "\(bytes >> 20) MiB of memory are left.",
            meaning: "The system may end the node at any moment.", remedy: "ps --sort=-rss -eo pid,rss,comm | head")
    }

    private var clockUnsynchronized: Finding? {
        guard host.machine.isClockSynchronized == false else { return nil }
        return Finding(
            .clockUnsynchronized, .note, about: "clock",
            measured: "The kernel says that nothing keeps the clock right.",
            meaning: "It may be wrong, and what you write would stand at wrong times.",
            remedy: "sudo timedatectl set-ntp true")
    }
}
