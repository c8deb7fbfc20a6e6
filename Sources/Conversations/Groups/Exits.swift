import Membership
import OperationLog

/// What took people out of a group and counts, with what it leaves of their content.
struct Exits: Sendable {
    /// An effective operation that took a person out.
    struct Exit {
        let operation: OperationID
        /// Its place in the lane.
        let place: Int
        /// The last of the person's content that its author had seen, device by device.
        let pins: [DeviceID: Pin]
    }

    /// Of each person those that count, in the order of the lane.
    private var effective: [UserID: [Exit]] = [:]
    /// The same, the earliest first, as far as was asked.
    private var ordered: [UserID: [Exit]] = [:]

    /// Everybody whom something that counts took out at some time.
    var users: [UserID] { effective.compactMap { $0.value.isEmpty ? nil : $0.key } }

    subscript(user: UserID) -> [Exit] { effective[user] ?? [] }

    /// What took a person out, the earliest first: ordered once after each verdict about them.
    mutating func earliestFirst(
        of user: UserID, by resolver: MembershipResolver<OperationID, UserID, DeviceID>
    ) -> [Exit] {
        if let known = ordered[user] { return known }
        let byName = Dictionary(self[user].map { ($0.operation, $0) }) { first, _ in first }
        let exits = resolver.earliestFirst(self[user].lazy.map(\.operation)).compactMap { byName[$0] }
        ordered[user] = exits
        return exits
    }

    /// Takes over the verdict on an operation of the lane, the first one or another.
    ///
    /// - Complexity: O(*r*) in what is later in the lane and took out the same people.
    mutating func judge(_ entry: Group.Entry, at place: Int) {
        for user in entry.peopleTakenOut {
            ordered[user] = nil
            // Mostly it is the last of all.
            let index = (effective[user]?.lastIndex { $0.place < place } ?? -1) + 1
            if let exits = effective[user], index < exits.endIndex, exits[index].place == place {
                effective[user]?.remove(at: index)
            }
            guard entry.voidReason == nil else { continue }
            let pins = (entry.pins(of: user) ?? []).map { ($0.device, $0) }
            let exit = Exit(operation: entry.operation.id, place: place, pins: Dictionary(pins) { max($0, $1) })
            effective[user, default: []].insert(exit, at: index)
        }
    }
}

extension Group.Entry {
    /// Whom the operation takes out, if it counts.
    var peopleTakenOut: [UserID] {
        switch body {
        case .remove(_, let target, _): [target]
        case .leave: [operation.author.user]
        case .ratify(_, _, let bans): Set(bans.map(\.user)).sorted()
        case .create, .add, .invite, .join, .decline, .cancel, .promote, .demote, .set, .device, .merge, .stepdown,
            .revoke, nil:
            []
        }
    }
}
