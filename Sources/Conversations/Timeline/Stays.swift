import OperationLog
import Storage

/// When one person was in a group, as the conversation tells it.
///
/// Read in the order of the conversation: the first operation that makes the person a member begins a stay, and the one that leaves
/// nothing of what they were granted ends it. What else lets them in or takes them out meanwhile changes nothing, so a departure
/// that two people decided concurrently is one departure. What follows depends on which operations there are, not on how they came.
struct Stays: Sendable {
    /// A time in the group, from the operation that began it to the one that ended it.
    struct Stay: Hashable, Sendable {
        /// The operation that made the person a member.
        let begin: MessagePosition
        /// The operation that took them out; nil while they are in.
        fileprivate(set) var end: MessagePosition?

        func contains(_ position: MessagePosition) -> Bool {
            begin <= position && (end.map { position <= $0 } ?? true)
        }
    }

    /// What an operation grants, until the first one after which nothing is left of it.
    private struct Grant {
        let begin: MessagePosition
        var end: MessagePosition?
    }

    private var grants: [Grant] = []
    /// What takes the person out and counts, in order.
    private(set) var exits: [MessagePosition] = []
    /// The stays, in order; none overlaps the next.
    private var all: [Stay] = []

    /// Takes in an effective operation that grants the person something.
    ///
    /// - Parameter end: the first effective one after which nothing is left of it.
    mutating func insert(grant begin: MessagePosition, until end: MessagePosition?) {
        grants.insert(Grant(begin: begin, end: end), at: grants.lastIndex { $0.begin < begin }.map { $0 + 1 } ?? 0)
    }

    /// Takes in an effective operation that takes the person out.
    ///
    /// - Parameter ends: whether it leaves nothing of what an operation grants.
    mutating func insert(exit: MessagePosition, ending ends: (OperationID) -> Bool) {
        exits.insert(exit, at: exits.lastIndex { $0 < exit }.map { $0 + 1 } ?? 0)
        for number in grants.indices where grants[number].end.map({ exit < $0 }) ?? true {
            if ends(grants[number].begin.id) { grants[number].end = exit }
        }
    }

    /// Forgets an operation that is void now.
    ///
    /// - Parameter end: the first effective operation after which nothing is left of what another one grants.
    mutating func remove(_ position: MessagePosition, until end: (OperationID) -> MessagePosition?) {
        grants.removeAll { $0.begin == position }
        exits.removeAll { $0 == position }
        for number in grants.indices where grants[number].end == position {
            grants[number].end = end(grants[number].begin.id)
        }
    }

    /// Finds the stays once everything is taken in.
    ///
    /// - Returns: the operations that begin or end a stay and did not before, or the other way round.
    /// - Complexity: O(*g*) in what the person was granted.
    mutating func recompute() -> Set<OperationID> {
        let before = all
        all.removeAll(keepingCapacity: true)
        for grant in grants {
            // What a removal ended that comes first in the order never began.
            if let end = grant.end, end < grant.begin { continue }
            guard let last = all.indices.last, all[last].end.map({ grant.begin < $0 }) ?? true else {
                all.append(Stay(begin: grant.begin, end: grant.end))
                continue
            }
            // Something that lasts longer goes on where the stay would have ended.
            all[last].end = grant.end.flatMap { end in all[last].end.map { max($0, end) } }
        }
        let same = zip(before, all).prefix { $0 == $1 }.count
        return Self.edges(of: before[same...]).symmetricDifference(Self.edges(of: all[same...]))
    }

    private static func edges(of stays: ArraySlice<Stay>) -> Set<OperationID> {
        Set(stays.flatMap { [$0.begin.id] + ($0.end.map { [$0.id] } ?? []) })
    }
}

// MARK: - Asking

extension Stays {
    /// Whether the person was in when something happened that stands at a place.
    func contains(_ position: MessagePosition) -> Bool { stay(at: position)?.contains(position) ?? false }

    /// Whether a stay begins with the operation at a place.
    func begins(at position: MessagePosition) -> Bool { stay(at: position)?.begin == position }

    /// Whether a stay ends with the operation at a place.
    func ends(at position: MessagePosition) -> Bool { stay(at: position)?.end == position }

    /// The last stay that begins at a place or before it. O(log *n*).
    private func stay(at position: MessagePosition) -> Stay? {
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].begin <= position { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? all[low - 1] : nil
    }
}
