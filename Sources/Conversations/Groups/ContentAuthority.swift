import Membership
import OperationLog

/// What a membership lane says about whose content counts, besides the roles that people had when they wrote.
struct ContentAuthority: Sendable {
    /// What took each person out and counts.
    var exits = Exits()
    /// Everybody who was ever given a role by an operation that turned out to be void.
    private(set) var doubtful: Set<UserID> = []
    /// The places of the operations that gave each person a role and count.
    private var granted: [UserID: Set<Int>] = [:]
    /// Whether an operation that would take a role from somebody turned out to be void.
    private(set) var hasVoidLosses = false
    /// What sets who writes.
    private var announcementSettings = AnnouncementSettings()

    /// Takes over the verdict on an operation of the lane: the first one, or another.
    ///
    /// - Complexity: as ``Exits/judge(_:at:)``; of what sets who writes, as
    ///   ``AnnouncementSettings/judge(_:isEffective:outwrites:)``.
    mutating func judge(_ place: Int, in lane: DecidedLane) {
        let entry = lane.history[place]
        exits.judge(entry, at: place)
        for user in entry.peopleGranted {
            if entry.voidReason == nil {
                granted[user, default: []].insert(place)
            } else {
                granted[user]?.remove(place)
            }
        }
        if entry.voidReason != nil {
            doubtful.formUnion(entry.peopleGranted)
            if entry.takesRoles { hasVoidLosses = true }
        }
        if case .set(_, Group.announcementField, _) = entry.body {
            announcementSettings.judge(place, isEffective: entry.voidReason == nil, outwrites: lane.outwrites)
        }
    }

    /// Whether anything that counts ever gave a person a role.
    func hasLetIn(_ user: UserID) -> Bool { granted[user]?.isEmpty == false }

    /// By what only moderators, admins and the founder write after the past of some heads, if that was asked lately;
    /// nil inside if everybody does.
    func announcement(at heads: [OperationID], in lane: DecidedLane) -> OperationID?? {
        announcementSettings.last(at: heads).map { Self.announcement(by: $0, in: lane) }
    }

    /// By what only moderators, admins and the founder write after the past of some heads: the last setting in that
    /// past that is effective in the whole lane; nil if it says that everybody does.
    ///
    /// - Parameter isInPast: whether the operation at a place in the lane is in that past.
    /// - Complexity: O(*w*) in the settings that are later, or not in that past.
    mutating func announcement(
        at heads: [OperationID], where isInPast: (Int) -> Bool, in lane: DecidedLane
    ) -> OperationID? {
        let last = announcementSettings.last(at: heads) { isInPast($0) && lane.history[$0].voidReason == nil }
        return Self.announcement(by: last, in: lane)
    }

    private static func announcement(by place: Int?, in lane: DecidedLane) -> OperationID? {
        guard let place, case .set(_, _, AnnouncementSetting.moderators) = lane.history[place].body else { return nil }
        return lane.history[place].operation.id
    }

    /// Whether nobody ever said who writes.
    var hasNoSettings: Bool { announcementSettings.isEmpty }
}

extension Group.Entry {
    /// Whether the operation takes roles from people, if it counts.
    fileprivate var takesRoles: Bool {
        switch body {
        case .demote, .stepdown: true
        default: !peopleTakenOut.isEmpty
        }
    }
}

extension DecidedLane {
    /// Whether of two writes of one register that count, or did, the first one decides.
    fileprivate func outwrites(_ write: Int, _ other: Int) -> Bool {
        resolver.outwrites(history[write].operation.id, history[other].operation.id)
    }
}
