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
    /// The places of the operations that set who writes and are effective, or were once; each after those that it outwrites.
    private var announcementSettings: [Int] = []

    /// Takes over the verdict on an operation of the lane: the first one, or another.
    ///
    /// - Complexity: O(*r*) in what took out those whom the operation takes out; of a setting O(*w*) in those that outwrite it.
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
        } else if case .set(_, Group.announcementField, _) = entry.body {
            var index = announcementSettings.endIndex
            while index > 0, lane.outwrites(announcementSettings[index - 1], place) { index -= 1 }
            let isThere = index > 0 && announcementSettings[index - 1] == place
            if !isThere { announcementSettings.insert(place, at: index) }
        }
    }

    /// Whether anything that counts ever gave a person a role.
    func hasLetIn(_ user: UserID) -> Bool { granted[user]?.isEmpty == false }

    /// By what only moderators, admins and the founder write after a past: the last setting in that past that is effective in the whole lane; nil
    /// if it says that everybody does.
    ///
    /// - Complexity: O(*w*) in the settings that are later, or not in that past.
    func announcement(where isInPast: (OperationID) -> Bool, in lane: DecidedLane) -> OperationID? {
        let last = announcementSettings.last { place in
            lane.history[place].voidReason == nil && isInPast(lane.history[place].operation.id)
        }
        guard let last, case .set(_, _, AnnouncementSetting.moderators) = lane.history[last].body else { return nil }
        return lane.history[last].operation.id
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
