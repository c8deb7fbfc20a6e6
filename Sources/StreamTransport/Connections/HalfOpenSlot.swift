import Synchronization

/// The place an accepted connection takes among those whose peer has not proved who it is.
///
/// Whoever runs the handshake calls ``release()`` when it is over. Letting go of the slot releases it too, so that a
/// place can never be lost. A connection whose place another gets before is reset.
public final class HalfOpenSlot: Sendable {
    private let place: HalfOpenLimit.Place
    private let limit: SharedHalfOpenLimit

    fileprivate init(_ place: HalfOpenLimit.Place, in limit: SharedHalfOpenLimit) {
        self.place = place
        self.limit = limit
    }

    deinit {
        release()
    }

    /// Frees the place. Calling it again does nothing; any thread may.
    public func release() {
        limit.release(place)
    }

    /// Says which connection has the place.
    func hold(_ socket: Socket) {
        limit.hold(place, for: socket)
    }
}

/// The count that a listener and its slots share.
final class SharedHalfOpenLimit: Sendable {
    /// What became of one more connection.
    enum Admission {
        /// It has a place; the connection that had it before, from the address, was reset.
        case admitted(HalfOpenSlot, displaced: SocketAddress?)
        /// It has none.
        case refused(HalfOpenLimit.Refusal)
    }

    private struct HeldSocket {
        weak var socket: Socket?
    }

    private struct State {
        var limit: HalfOpenLimit
        var sockets: [HalfOpenLimit.Place: HeldSocket] = [:]
    }

    private let state: Mutex<State>

    init(_ limit: HalfOpenLimit) {
        state = Mutex(State(limit: limit))
    }

    /// How many places are taken.
    var count: Int { state.withLock { $0.limit.count } }

    /// Finds a place for one more connection.
    func admit(_ source: ConnectionSource) -> Admission {
        let (admission, displaced) = state.withLock { state in
            let admission = state.limit.admit(source)
            guard case .admitted(_, let place?) = admission else { return (admission, nil as Socket?) }
            return (admission, state.sockets.removeValue(forKey: place)?.socket)
        }
        switch admission {
        case .refused(let refusal): return .refused(refusal)
        case .admitted(let place, _):
            // Whoever reads it sees the reset and ends the connection.
            displaced?.reset()
            return .admitted(HalfOpenSlot(place, in: self), displaced: displaced?.peer)
        }
    }

    fileprivate func hold(_ place: HalfOpenLimit.Place, for socket: Socket) {
        state.withLock { $0.sockets[place] = HeldSocket(socket: socket) }
    }

    fileprivate func release(_ place: HalfOpenLimit.Place) {
        state.withLock { state in
            state.limit.release(place)
            state.sockets[place] = nil
        }
    }
}
