import CProcess
import Diagnosis
import Foundation
import Glibc

/// Looks at the memory, the limits and the clock of this host.
enum MachineObserver {
    /// Looks.
    ///
    /// - Parameter process: the node, whose limit counts; nil where none runs.
    static func observe(process: Int32?) -> MachineObservation {
        let unsynchronized = moot_clock_is_unsynchronized()
        return MachineObservation(
            descriptorLimit: process.flatMap(limit) ?? ownLimit, availableMemory: availableMemory,
            isClockSynchronized: unsynchronized < 0 ? nil : unsynchronized == 0)
    }

    private static var availableMemory: UInt64? {
        number(after: "MemAvailable:", in: "/proc/meminfo").map { $0 << 10 }
    }

    private static func limit(of process: Int32) -> UInt64? {
        number(after: "Max open files", in: "/proc/\(process)/limits")
    }

    /// The node raises its own limit as far as it may.
    private static var ownLimit: UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return UInt64(limit.rlim_max)
    }

    private static func number(after heading: String, in file: String) -> UInt64? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(heading) }
        return line?.dropFirst(heading.count).split(separator: " ").first.flatMap { UInt64($0) }
    }
}
