import Synchronization

/// Room for a bounded number of event streams, so that those who only listen never take the connections of those who
/// ask.
final class EventStreamSlots: Sendable {
    /// The most streams at a time, over both servers.
    static let maximumStreams = 1_000

    private let taken = Mutex(0)

    /// How many streams there are.
    var count: Int { taken.withLock { $0 } }

    /// Takes a slot until the result is released.
    ///
    /// - Throws: ``RequestRefusal/tooManyStreams(limit:)`` if none is free.
    func take() throws(RequestRefusal) -> Slot {
        let isFree = taken.withLock { taken in
            guard taken < Self.maximumStreams else { return false }
            taken += 1
            return true
        }
        guard isFree else { throw .tooManyStreams(limit: Self.maximumStreams) }
        return Slot(in: self)
    }

    /// One stream's slot, given back when the last reference goes: also if the stream never began.
    final class Slot: Sendable {
        private let slots: EventStreamSlots

        fileprivate init(in slots: EventStreamSlots) {
            self.slots = slots
        }

        deinit {
            slots.taken.withLock { $0 -= 1 }
        }
    }
}
