import Glibc
import KeyStore
import LocalAPIModel
import NodeCore

extension Node {
    /// Asks whoever runs the node to stop it, so that its keys leave memory.
    ///
    /// - Throws: `invalid_operation` where no passphrase guards the keys: whoever could have them from memory can have
    ///   them from the disk.
    public func lock() throws(NodeError) -> LockDescription {
        guard home.isPassphraseProtected else {
            throw NodeError(
                .invalidOperation, "This home has no passphrase, so locking it would mean nothing",
                hint: "Stop the node, then set one with: moot passphrase set")
        }
        locking.continuation.yield()
        return LockDescription(locked: true, pid: getpid())
    }

    /// Waits until the node was asked to lock, or the task is canceled. Only one task may wait.
    nonisolated public func waitUntilLocked() async {
        for await _ in locking.stream { return }
    }
}
