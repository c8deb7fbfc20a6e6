import OperationLog
import Time

/// The people whom a user marked for themselves: those they blocked, or those with whom they compared codes. Nobody else sees it; all of
/// their devices come to the same.
///
/// Each person has a last-writer-wins register of their own, and those of whom the mark was taken off stay, so that another device does not
/// bring it back. Of more than ``maximumPeople`` the latest writes are kept: what is forgotten is older than all that is kept, and merging
/// makes times only later, so it would be forgotten in every order. Merging is therefore associative, commutative and idempotent.
public struct PersonMarks: Hashable, Sendable {
    /// People about whom something may be said, those taken off among them.
    public static let maximumPeople = 4_096
    /// The longest encoding, in bytes.
    public static let maximumBytes = 1 + 2 + maximumPeople * (32 + 10 + 32 + 1)
    private static let version: UInt8 = 1

    /// What was said about each person.
    public private(set) var people: [UserID: PersonMark] = [:]

    /// Nobody is marked.
    public init() {}

    /// The people who are marked.
    public var marked: Set<UserID> { Set(people.filter(\.value.isSet).keys) }

    /// Whether a person is marked.
    public func contains(_ user: UserID) -> Bool { people[user]?.isSet == true }

    /// Marks a person, or takes it back; later than what was said of them before, whatever the clock says.
    ///
    /// Where there is no room, the oldest mark that was taken off is forgotten.
    ///
    /// - Returns: False if all are marked, and there is no room; then nothing is changed.
    public mutating func set(_ user: UserID, isMarked: Bool, at wall: Timestamp, by device: DeviceID) -> Bool {
        if people[user] == nil, people.count >= Self.maximumPeople {
            guard let oldest = people.filter({ !$0.value.isSet }).min(by: Self.isOlder) else { return false }
            people[oldest.key] = nil
        }
        let stamp = PrivateStamp(at: wall, after: people[user]?.register.stamp, by: device)
        people[user, default: PersonMark()].register.write(isMarked, at: stamp)
        return true
    }

    /// Takes over what another device said of people.
    ///
    /// - Complexity: O(*n*) in what it said; O(*n* log *n*) in all that is kept, once, where not all of it has room.
    public mutating func merge(_ marks: [UserID: PersonMark]) {
        for (user, mark) in marks where mark.register.stamp != nil {
            people[user] = people[user]?.merging(mark) ?? mark
        }
        let excess = people.count - Self.maximumPeople
        guard excess > 0 else { return }
        if excess == 1, let oldest = people.min(by: Self.isOlder) {
            people[oldest.key] = nil
            return
        }
        for oldest in people.sorted(by: Self.isOlder).prefix(excess) { people[oldest.key] = nil }
    }

    /// Takes over what another device said of everybody.
    public mutating func merge(_ other: PersonMarks) { merge(other.people) }

    /// What both are together.
    public func merging(_ other: PersonMarks) -> PersonMarks {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// The same with other stamps, by when somebody said something and whether it was a mark; nothing is said of whom that is nil for.
    public func restamping(_ change: (PrivateStamp, _ isMarked: Bool) -> PrivateStamp?) -> PersonMarks {
        var changed = PersonMarks()
        changed.merge(people.mapValues { mark in mark.restamping { change($0, mark.isSet) } })
        return changed
    }

    /// The canonical bytes. Of a list there is one encoding.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: 8 + people.count * 75)
        writer.write(byte: Self.version)
        writer.write(count: people.count)
        for (user, mark) in people.sorted(by: { $0.key < $1.key }) {
            guard let isMarked = mark.register.value, let stamp = mark.register.stamp else {
                preconditionFailure("whoever is on the list was written there")
            }
            writer.write(user)
            writer.write(number: stamp.time)
            writer.write(stamp.device)
            isMarked.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` writes and nothing else.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard try reader.byte() == Self.version else { throw .invalid(field: "version") }
        var last: UserID?
        for _ in 0..<(try reader.count(of: "people", limit: Self.maximumPeople, each: 66)) {
            let user: UserID = try reader.identifier()
            if let last, last >= user { throw .unsorted(field: "people") }
            last = user
            guard let stamp = PrivateStamp(time: try reader.number(), device: try reader.identifier()) else {
                throw .invalid(field: "stamp")
            }
            people[user, default: PersonMark()].register.write(try Bool.read(from: &reader), at: stamp)
        }
        try reader.finish()
    }

    private static func isOlder(
        _ left: (key: UserID, value: PersonMark), _ right: (key: UserID, value: PersonMark)
    ) -> Bool {
        guard let first = left.value.register.stamp, let second = right.value.register.stamp else { return false }
        return (first, left.key) < (second, right.key)
    }
}
