import Membership
import OperationLog

extension Group {
    /// People whom one `ratify` keeps: all of a full group.
    private static let maximumKept = capacity
    /// What a person's node owes the group because somebody has left who was admin or brought others in: everybody's
    /// membership and every ban once more, under an authority that stays.
    ///
    /// Somebody who leaves and lies can go on acting under heads from before their leave, or take back what a device of
    /// theirs did; what the first admin ratified they cannot undo. Whoever is only acting admin owes nothing: the first
    /// act makes them admin for good, and that is a person's to decide. The leave may be a thief's.
    ///
    /// - Parameter pins: the last content operation seen of each of a person's devices, as many as one operation names.
    /// - Returns: the operations to write under one authority; nil if nothing is owed, or not by this person.
    public func ratification(
        owedBy user: UserID, pins: (UserID) -> [Pin]
    ) -> ((MembershipBody.Authority) -> [MembershipBody])? {
        guard case .group = root, let next = members.first, next.user == user, next.role >= .admin, actingAdmin != user
        else { return nil }
        let leaves = dangerousLeaves
        guard hasUnratified(leaves) else { return nil }
        let keep = members.filter { $0.role < .admin }.map { MembershipBody.Keep(user: $0.user, role: $0.role) }
        let bans = Self.parts(
            ofBans: banned(besides: leaves).map { user in
                // What they said last may not have come yet: what took them out names it.
                let named = pins(user) + exits(of: user).flatMap(\.pins.values)
                let last = Dictionary(named.map { ($0.device, $0) }) { max($0, $1) }
                return (user, Pin.fitting(Array(last.values)))
            })
        let keeps = stride(from: 0, to: keep.count, by: Self.maximumKept).map {
            Array(keep[$0..<min($0 + Self.maximumKept, keep.count)])
        }
        return { authority in
            // An admin who is alone with admins ratifies nothing, but says that they have seen the leave.
            let count = max(keeps.count, bans.count, 1)
            return (0..<count).map { index in
                .ratify(
                    under: authority, keep: index < keeps.count ? keeps[index] : [],
                    bans: index < bans.count ? bans[index] : [])
            }
        }
    }

    /// Bans for one operation after the other: so many people, and so many pins of them together, that a body holds
    /// them besides all who are kept.
    private static func parts(ofBans people: [(user: UserID, pins: [Pin])]) -> [[MembershipBody.Ban]] {
        var parts: [[MembershipBody.Ban]] = []
        var room = 0
        for person in people {
            if parts.isEmpty || person.pins.count > room
                || parts[parts.count - 1].count == MembershipBody.maximumPeople
            {
                parts.append([])
                room = MembershipBody.maximumPins
            }
            parts[parts.count - 1].append(.init(user: person.user, pins: person.pins))
            room -= person.pins.count
        }
        return parts
    }

    /// The leaves that count of people who were admin or brought others in, and are not members.
    private var dangerousLeaves: [Entry] {
        let leaves = history.filter {
            $0.body?.type == .leave && $0.voidReason == nil && !isMember($0.operation.author.user)
        }
        guard !leaves.isEmpty else { return [] }
        let departures = Set(resolver.officeDepartures)
        let bringing: Set<OperationType> = [.add, .invite, .promote, .ratify]
        let bringers = Set(
            history.filter { $0.voidReason == nil && bringing.contains($0.operation.header.type) }
                .map(\.operation.author.user))
        return leaves.filter {
            departures.contains($0.operation.id) || bringers.contains($0.operation.author.user)
        }
    }

    /// Whether somebody has left so, and no ratification bans them that has seen them leave and all that ever made them
    /// a member: they can leave as often as they like, and may come back and go again.
    private func hasUnratified(_ leaves: [Entry]) -> Bool {
        guard !leaves.isEmpty else { return false }
        let leaves = Dictionary(grouping: leaves, by: \.operation.author.user)
        let ratifications = history.filter { $0.body?.type == .ratify && $0.voidReason == nil }
        return leaves.contains { user, leaves in
            let makers = resolver.makers(ofGrantsTo: user)
            return !ratifications.contains { ratification in
                guard case .ratify(_, _, let bans) = ratification.body, bans.contains(where: { $0.user == user }) else {
                    return false
                }
                let id = ratification.operation.id
                return leaves.contains { resolver.isKnown($0.operation.id, to: id) }
                    && makers.allSatisfy { resolver.isKnown($0, to: id) }
            }
        }
    }

    /// The people whom others took out, or who left so, and who are not back, ascending.
    private func banned(besides leaves: [Entry]) -> [UserID] {
        let takenOut = history.filter { $0.voidReason == nil }.flatMap { entry -> [UserID] in
            switch entry.body {
            case .remove(_, let target, _): [target]
            case .ratify(_, _, let bans): bans.map(\.user)
            case .create, .add, .invite, .join, .decline, .cancel, .promote, .demote, .set, .device, .merge, .leave,
                .stepdown, .revoke, nil:
                []
            }
        }
        return Set(takenOut + leaves.map(\.operation.author.user)).filter { !isMember($0) }.sorted()
    }
}
