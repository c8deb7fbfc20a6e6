import OperationLog

/// What took people out of a group and counts, with what it leaves of their content.
///
/// More pins than one operation can name are in those that follow it: an operation that takes the same person out and directly follows
/// another one on the chain of its author is a further part of it, effective or not.
struct Exits: Sendable {
    /// An effective operation that took a person out.
    struct Exit {
        let operation: OperationID
        /// The last of the person's content that its author had seen, device by device.
        let pins: [DeviceID: Pin]
    }

    private struct Part: Hashable {
        let operation: OperationID
        let user: UserID
    }

    /// The pins of operations that belong together.
    private var runs: [[DeviceID: Pin]] = []
    private var runOfPart: [Part: Int] = [:]
    /// Of each person those that count, in the order of the lane.
    private var effective: [UserID: [(place: Int, operation: OperationID, run: Int)]] = [:]

    subscript(user: UserID) -> [Exit] {
        (effective[user] ?? []).map { Exit(operation: $0.operation, pins: runs[$0.run]) }
    }

    /// Takes in an operation of the lane, after those before it.
    mutating func note(_ entry: Group.Entry, at place: Int) {
        for user in entry.peopleTakenOut {
            let pins = entry.pins(of: user) ?? []
            let before = entry.operation.header.previous.flatMap { runOfPart[Part(operation: $0, user: user)] }
            if before == nil { runs.append([:]) }
            let run = before ?? runs.count - 1
            for pin in pins where runs[run][pin.device].map({ $0 < pin }) ?? true { runs[run][pin.device] = pin }
            runOfPart[Part(operation: entry.operation.id, user: user)] = run
            if entry.voidReason == nil { effective[user, default: []].append((place, entry.operation.id, run)) }
        }
    }

    /// Takes over another verdict on an operation that it has.
    ///
    /// - Complexity: O(*r*) in what took out those whom the operation takes out.
    mutating func judge(_ entry: Group.Entry, at place: Int) {
        for user in entry.peopleTakenOut {
            guard let run = runOfPart[Part(operation: entry.operation.id, user: user)] else { continue }
            var exits = (effective[user] ?? []).filter { $0.place != place }
            if entry.voidReason == nil {
                let later = exits.firstIndex { $0.place > place } ?? exits.endIndex
                exits.insert((place, entry.operation.id, run), at: later)
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
