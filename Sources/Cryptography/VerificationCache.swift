import Synchronization

/// Remembers checks of keys and signatures that passed, for a process in which many replicas make the same ones: the
/// simulator.
///
/// What passed once passes forever, so remembering changes nothing but the time it takes. The daemon remembers nothing.
package enum VerificationCache {
    /// How many checks are remembered before all are forgotten.
    private static let maximumEntries = 1 << 16
    private static let passed = Mutex<Set<Digest>?>(nil)

    /// Begins to remember, in the whole process.
    package static func begin() {
        passed.withLock { $0 = $0 ?? [] }
    }

    /// Makes a check, unless it is known to pass.
    ///
    /// - Parameter name: what stands for the check and all that goes into it; asked for only while anything is
    ///   remembered.
    static func cached(name: () -> Digest, check: () -> Bool) -> Bool {
        guard passed.withLock({ $0 != nil }) else { return check() }
        let name = name()
        if passed.withLock({ $0?.contains(name) == true }) { return true }
        let passes = check()
        guard passes else { return false }
        passed.withLock { known in
            if known?.count ?? 0 >= maximumEntries { known = [] }
            known?.insert(name)
        }
        return true
    }
}
