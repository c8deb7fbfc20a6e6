import Synchronization

/// The place an accepted connection takes among those whose peer has not proved who it is.
///
/// Whoever runs the handshake calls ``release()`` when it is over. Letting go of the slot releases it too, so that a
/// place can never be lost.
public final class HalfOpenSlot: Sendable {
    private let host: IPAddress
    private let limit: SharedHalfOpenLimit
    private let isTaken = Atomic(true)

    init(_ host: IPAddress, in limit: SharedHalfOpenLimit) {
        self.host = host
        self.limit = limit
    }

    deinit {
        release()
    }

    /// Frees the place. Calling it again does nothing; any thread may.
    public func release() {
        guard isTaken.exchange(false, ordering: .relaxed) else { return }
        limit.value.withLock { $0.release(host) }
    }
}

/// The count that a listener and its slots share.
final class SharedHalfOpenLimit: Sendable {
    let value: Mutex<HalfOpenLimit>

    init(_ limit: HalfOpenLimit) {
        value = Mutex(limit)
    }
}
