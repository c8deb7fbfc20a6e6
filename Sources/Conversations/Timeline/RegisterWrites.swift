import OperationLog
import Storage

/// What became of the writes of one register, read in the order of the conversation.
///
/// Of two concurrent writes the one that decides the value may stand first. The later one is then told as overruled:
/// otherwise the conversation would end with a name that the group does not have.
struct RegisterWrites: Sendable {
    /// What became of a write.
    enum Outcome: Hashable, Sendable {
        /// The register had its value from then on, and another one before.
        case changed
        /// The register had that value already.
        case repeated
        /// A write that stands before it decides the value.
        case overruled
    }

    private struct Write {
        let position: MessagePosition
        let value: String
        var outcome = Outcome.changed
        /// Which write decides the value after this one.
        var winner = 0
    }

    /// A write that counts now and did not before, or the other way round.
    struct Change {
        /// Where it stands.
        let position: MessagePosition
        /// What it writes; nil where it does not count any more.
        let value: String?
    }

    private let initial: String
    /// The effective writes, in order.
    private var writes: [Write] = []

    /// Begins with the value of a register that was never written.
    init(initial: String) { self.initial = initial }

    /// What became of a write; nil for one that does not count.
    func outcome(at position: MessagePosition) -> Outcome? {
        // What was written last is asked for most.
        guard let place = writes.lastIndex(where: { $0.position <= position }), writes[place].position == position
        else { return nil }
        return writes[place].outcome
    }

    /// Takes in writes that count now and did not before, or the other way round. One decision can change that of
    /// thousands.
    ///
    /// - Parameter outwrites: whether of two writes the first decides the value.
    /// - Returns: those that count of which something else became than before.
    /// - Complexity: O(1) for one that stands last, else O(*w*) in the writes that follow the first of them, whatever
    ///   their number, and O(*n* log *n*) in them.
    mutating func update(
        _ changes: [Change], outwrites: (OperationID, OperationID) -> Bool
    ) -> [OperationID] {
        guard let first = changes.map(\.position).min() else { return [] }
        let place = writes.lastIndex { $0.position < first }.map { $0 + 1 } ?? 0
        let changed = Set(changes.map(\.position.id))
        var rest = writes[place...].filter { !changed.contains($0.position.id) }
        rest += changes.compactMap { change in change.value.map { Write(position: change.position, value: $0) } }
        writes.replaceSubrange(place..., with: rest.sorted { $0.position < $1.position })
        return judge(from: place, outwrites)
    }

    private mutating func judge(
        from first: Int, _ outwrites: (OperationID, OperationID) -> Bool
    ) -> [OperationID] {
        var changed: [OperationID] = []
        for number in first..<writes.count {
            let before = number == 0 ? nil : writes[number - 1].winner
            let decides = before.map { outwrites(writes[number].position.id, writes[$0].position.id) } ?? true
            writes[number].winner = decides ? number : before ?? number
            let value = before.map { writes[$0].value } ?? initial
            let outcome: Outcome = writes[number].value == value ? .repeated : decides ? .changed : .overruled
            if outcome != writes[number].outcome { changed.append(writes[number].position.id) }
            writes[number].outcome = outcome
        }
        return changed
    }
}
