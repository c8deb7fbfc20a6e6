import OperationLog
import Time

/// The people whom a user marked for themselves: those they blocked, or those with whom they compared codes. Nobody
/// else sees it; all of their devices come to the same.
///
/// Each person has a last-writer-wins register of their own, and those of whom the mark was taken off stay, so that
/// another device does not bring it back. Of more than ``maximumPeople`` the latest writes are kept: what is forgotten
/// is older than all that is kept, and merging makes times only later, so it would be forgotten in every order. Merging
/// is therefore associative, commutative and idempotent.
public struct PersonMarks: Hashable, Sendable {
    /// People about whom something may be said, those taken off among them.
    public static let maximumPeople = 4_096

    /// What was said about each person.
    public private(set) var people: [UserID: PersonMark] = [:]

    /// Nobody is marked.
    public init() {}

    /// The people who are marked.
    public var marked: Set<UserID> { Set(people.filter(\.value.isSet).keys) }

    /// Whether a person is marked.
    public func contains(_ user: UserID) -> Bool { people[user]?.isSet == true }

    /// What changes when a person is marked, or the mark is taken off: later than what was said of them before,
    /// whatever the clock says.
    ///
    /// Where there is no room, the oldest mark that was taken off is forgotten.
    ///
    /// - Returns: the marks that differ then, for ``apply(_:)``; nil if all are marked, and there is no room.
    public func changes(
        marking user: UserID, _ isMarked: Bool, at wall: Timestamp, by device: DeviceID
    ) -> [UserID: PersonMark]? {
        var changes: [UserID: PersonMark] = [:]
        if people[user] == nil, people.count >= Self.maximumPeople {
            guard let oldest = people.lazy.filter({ !$0.value.isSet }).min(by: Self.isOlder) else { return nil }
            changes[oldest.key] = PersonMark()
        }
        let stamp = PrivateStamp(at: wall, after: people[user]?.register.stamp, by: device)
        var mark = people[user] ?? PersonMark()
        mark.register.write(isMarked, at: stamp)
        changes[user] = mark
        return changes
    }

    /// What changes when what another device said of people is taken over.
    ///
    /// - Returns: the marks that differ then, for ``apply(_:)``.
    /// - Complexity: O(*n*) in what it said; where that has no room, O(*n* log *n*) in all that is kept, or O(*n*) for
    ///   one person.
    public func changes(merging marks: [UserID: PersonMark]) -> [UserID: PersonMark] {
        var changes: [UserID: PersonMark] = [:]
        for (user, mark) in marks where mark.device != nil {
            let merged = people[user]?.merging(mark) ?? mark
            if merged != people[user] { changes[user] = merged }
        }
        let excess = people.count + changes.keys.count { people[$0] == nil } - Self.maximumPeople
        guard excess > 0 else { return changes }
        let kept = people.lazy.filter { changes[$0.key] == nil }
        for oldest in Self.oldest(excess, of: Array(kept) + Array(changes)) {
            changes[oldest] = people[oldest] == nil ? nil : PersonMark()
        }
        return changes
    }

    /// Takes over changes. A person of whom they say nothing is forgotten.
    public mutating func apply(_ changes: [UserID: PersonMark]) {
        for (user, mark) in changes { people[user] = mark.device == nil ? nil : mark }
    }

    /// What changes with other stamps, by the stamp that was there and whether the person is marked. A person is
    /// forgotten where that is nil.
    ///
    /// - Returns: the marks that differ then, for ``apply(_:)``.
    public func changes(
        restamping change: (PrivateStamp, _ isMarked: Bool) -> PrivateStamp?
    ) -> [UserID: PersonMark] {
        people.compactMapValues { mark in
            let changed = mark.restamping { change($0, mark.isSet) }
            return changed == mark ? nil : changed
        }
    }

    /// The people of the oldest marks. Of one there is no need to sort: a device in other hands may send a new mark
    /// every time.
    private static func oldest(_ count: Int, of marks: [(key: UserID, value: PersonMark)]) -> [UserID] {
        if count == 1 { return marks.min(by: isOlder).map { [$0.key] } ?? [] }
        return marks.sorted(by: isOlder).prefix(count).map(\.key)
    }

    private static func isOlder(
        _ left: (key: UserID, value: PersonMark), _ right: (key: UserID, value: PersonMark)
    ) -> Bool {
        guard let first = left.value.register.stamp, let second = right.value.register.stamp else { return false }
        return (first, left.key) < (second, right.key)
    }
}
