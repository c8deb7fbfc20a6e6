/// What is still to happen, the earliest first; of two things at one time the one that was added first.
struct EventQueue<Event> {
    private struct Entry {
        let time: Int
        let number: Int
        let event: Event

        static func < (left: Entry, right: Entry) -> Bool { (left.time, left.number) < (right.time, right.number) }
    }

    /// A binary heap: no entry is earlier than the one at half its place.
    private var entries: [Entry] = []
    private var added = 0

    /// When the next thing happens, in microseconds since the start; nil if nothing does.
    var nextTime: Int? { entries.first?.time }

    /// Adds something that happens at a time.
    mutating func add(_ event: Event, at time: Int) {
        added += 1
        entries.append(Entry(time: time, number: added, event: event))
        var place = entries.count - 1
        while place > 0, entries[place] < entries[(place - 1) / 2] {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes out what happens next.
    mutating func next() -> (time: Int, event: Event)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return (first.time, first.event) }
        entries[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child] < entries[least] {
                least = child
            }
            guard least != place else { break }
            entries.swapAt(place, least)
            place = least
        }
        return (first.time, first.event)
    }
}
