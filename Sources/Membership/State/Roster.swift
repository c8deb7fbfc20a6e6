/// The members in order: the highest role first, then the most senior.
struct Roster: Hashable, Sendable {
    private(set) var entries: [Entry] = []
    private var entryOf: [PersonNumber: Entry] = [:]

    struct Entry: Hashable, Sendable {
        let person: PersonNumber
        let standing: RosterPosition
        let seniority: Seniority

        fileprivate func precedes(_ other: Entry) -> Bool {
            standing.role != other.standing.role ? standing.role > other.standing.role : seniority < other.seniority
        }
    }

    /// The index of a person; nil for somebody who is no member.
    subscript(person: PersonNumber) -> RosterPosition? { entryOf[person]?.standing }

    /// Puts a person where they belong. O(log *n*) comparisons.
    mutating func place(_ person: PersonNumber, _ standing: RosterPosition?, seniority: Seniority?) {
        if let old = entryOf[person] {
            if old.standing == standing { return }
            entries.remove(at: position(of: old))
        }
        entryOf[person] = nil
        guard let standing, let seniority else { return }
        let entry = Entry(person: person, standing: standing, seniority: seniority)
        entryOf[person] = entry
        entries.insert(entry, at: position(of: entry))
    }

    private func position(of entry: Entry) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
