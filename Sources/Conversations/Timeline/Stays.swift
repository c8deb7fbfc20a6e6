import OperationLog
import Storage

/// When one person was in a group, as the conversation tells it.
///
/// Read in the order of the conversation: the first operation that makes the person a member begins a stay, and the one
/// that leaves nothing of what they were granted ends it. What else lets them in or takes them out meanwhile changes
/// nothing, so a departure that two people decided concurrently is one departure. What follows depends on which
/// operations there are, not on how they came.
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

    /// The operations that count now and did not before, and those that are void now and were not before.
    struct Change {
        /// Operations of one kind, each only once.
        struct Turned {
            private(set) var counting: [MessagePosition] = []
            private(set) var void: Set<MessagePosition> = []

            mutating func note(_ position: MessagePosition, counts: Bool) {
                if counts { counting.append(position) } else { void.insert(position) }
            }
        }

        /// What grants the person something.
        var grants = Turned()
        /// What takes the person out.
        var exits = Turned()
    }

    /// For each of some operations the first of some exits that leaves nothing of what it grants, by its place among
    /// them.
    typealias FirstEndings = (_ makers: [OperationID], _ exits: [OperationID]) -> [Int?]

    /// Takes in what counts now, and forgets what is void now.
    ///
    /// - Parameter firstEndings: is asked about what is new or has lost its end among all exits, and about the rest
    ///   among the new exits.
    /// - Returns: the operations that begin or end a stay and did not before, or the other way round.
    /// - Complexity: O((*g* + *e*) log (*g* + *e*)) in what the person was granted and in their exits, and what is
    ///   asked.
    mutating func update(_ change: Change, firstEndings: FirstEndings) -> Set<OperationID> {
        grants.removeAll { change.grants.void.contains($0.begin) }
        exits.removeAll(where: change.exits.void.contains)
        let news = change.exits.counting.sorted()
        exits = (exits + news).sorted()
        // Of what is left of them the new exits may come before the end that was found.
        let kept = grants.indices.filter { number in
            grants[number].end.map { end in !change.exits.void.contains(end) && news.first.map { $0 < end } ?? false }
                ?? !news.isEmpty
        }
        let lost = grants.indices.filter { grants[$0].end.map(change.exits.void.contains) ?? false }
        for number in lost { grants[number].end = nil }
        let added = grants.count..<grants.count + change.grants.counting.count
        grants += change.grants.counting.map { Grant(begin: $0, end: nil) }
        seekEnds(of: kept, among: news, firstEndings)
        seekEnds(of: lost + added, among: exits, firstEndings)
        grants.sort { $0.begin < $1.begin }
        return recompute()
    }

    /// Ends some grants with the first of some exits that leaves nothing of them, unless something ended them before
    /// that.
    private mutating func seekEnds(of numbers: [Int], among exits: [MessagePosition], _ firstEndings: FirstEndings) {
        guard !numbers.isEmpty, !exits.isEmpty else { return }
        let found = firstEndings(numbers.map { grants[$0].begin.id }, exits.map(\.id))
        for (number, place) in zip(numbers, found) {
            guard let exit = place.map({ exits[$0] }) else { continue }
            grants[number].end = grants[number].end.map { min($0, exit) } ?? exit
        }
    }

    /// Finds the stays once everything is taken in.
    private mutating func recompute() -> Set<OperationID> {
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
        let next = all.insertionIndex { $0.begin <= position }
        return next > 0 ? all[next - 1] : nil
    }
}
