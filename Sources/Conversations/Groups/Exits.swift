import OperationLog

/// What took people out of a group and counts, with what it leaves of their content.
struct Exits: Sendable {
    /// An effective operation that took a person out.
    struct Exit {
        let operation: OperationID
        /// The last of the person's content that its author had seen, device by device.
        let pins: [DeviceID: Pin]
    }

    /// Of each person those that count, in the order of the lane.
    private var effective: [UserID: [(place: Int, exit: Exit)]] = [:]

    /// Everybody whom something that counts took out at some time.
    var users: [UserID] { effective.compactMap { $0.value.isEmpty ? nil : $0.key } }

    subscript(user: UserID) -> [Exit] { (effective[user] ?? []).map(\.exit) }

    /// Takes over the verdict on an operation of the lane, the first one or another.
    ///
    /// - Complexity: O(*r*) in what took out those whom the operation takes out.
    mutating func judge(_ entry: Group.Entry, at place: Int) {
        for user in entry.peopleTakenOut {
            var exits = (effective[user] ?? []).filter { $0.place != place }
            if entry.voidReason == nil {
                let later = exits.firstIndex { $0.place > place } ?? exits.endIndex
                let pins = (entry.pins(of: user) ?? []).map { ($0.device, $0) }
                exits.insert(
                    (place, Exit(operation: entry.operation.id, pins: Dictionary(pins) { max($0, $1) })), at: later)
            }
            effective[user] = exits
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
