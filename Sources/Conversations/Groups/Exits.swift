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

    /// Of each person those that count, by their places in the lane.
    private var effective: [UserID: [Int: Exit]] = [:]
    /// The places of those that pin each device's content.
    private var places: [UserID: [DeviceID: Set<Int>]] = [:]
    /// Of each person those that count in order, as far as was asked.
    private var ordered: [UserID: OrderedExits] = [:]

    /// Everybody whom something that counts took out at some time.
    var users: [UserID] { effective.compactMap { $0.value.isEmpty ? nil : $0.key } }

    /// Whether anything that counts took a person out. O(1).
    func concern(_ user: UserID) -> Bool { effective[user]?.isEmpty == false }

    /// What took a person out, in no order.
    subscript(user: UserID) -> [Exit] { effective[user].map { Array($0.values) } ?? [] }

    /// What took a person out and pins the content of one of their devices, in no order.
    ///
    /// - Complexity: O(*p*) in those pins: to ask about each device that is pinned costs no more than all the pins.
    func pinning(_ device: DeviceID, of user: UserID) -> [Exit] {
        (places[user]?[device] ?? []).compactMap { effective[user]?[$0] }
    }

    /// What took a person out, the earliest first, if that is known already.
    func earliestFirst(of user: UserID) -> OrderedExits? { ordered[user] }

    /// What took a person out, the earliest first: ordered once after each verdict about them.
    ///
    /// - Complexity: O(*r* log *r* + *p*) in what took them out and its pins, the first time.
    mutating func earliestFirst(
        of user: UserID, by resolver: MembershipResolver<OperationID, UserID, DeviceID>
    ) -> OrderedExits {
        if let known = ordered[user] { return known }
        let byName = Dictionary(self[user].map { ($0.operation, $0) }) { first, _ in first }
        let exits = OrderedExits(resolver.earliestFirst(byName.keys).compactMap { byName[$0] })
        ordered[user] = exits
        return exits
    }

    /// Takes over the verdict on an operation of the lane, the first one or another.
    ///
    /// - Complexity: O(*p*) in its pins, of a `ratify` also in those it bans.
    mutating func judge(_ entry: Group.Entry, at place: Int) {
        for user in entry.peopleTakenOut {
            ordered[user] = nil
            let before = effective[user]?.removeValue(forKey: place)
            for device in (before?.pins ?? [:]).keys { places[user]?[device]?.remove(place) }
            guard entry.voidReason == nil else { continue }
            let pins = (entry.pins(of: user) ?? []).map { ($0.device, $0) }
            let exit = Exit(operation: entry.operation.id, place: place, pins: Dictionary(pins) { max($0, $1) })
            effective[user, default: [:]][place] = exit
            for device in exit.pins.keys { places[user, default: [:]][device, default: []].insert(place) }
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
