import Membership
import OperationLog

extension Group {
    /// The value by which only admins are shown the statistics; with any other, and while none was written, everybody
    /// is.
    public static let statisticsForAdmins = "admins"

    /// Whether the group lets a person see its statistics.
    ///
    /// Whoever can read messages can count them. So this keeps nothing secret: it says what the nodes of a group show.
    public func showsStatistics(to user: UserID) -> Bool {
        guard value(of: Self.statisticsField) == Self.statisticsForAdmins else { return true }
        return role(of: user).map { $0 >= .admin } ?? false
    }

    /// How many members the group had from when on, in milliseconds since 1970, ascending.
    ///
    /// As the system messages tell it: who waits for room counts as far as there is room. The last number is that of
    /// the members now. In a direct conversation there are no messages, as there have always been two.
    ///
    /// - Complexity: O(*n*) in the system messages and the people they name.
    public var growth: [(since: Int64, members: Int)] {
        var members: Set<UserID> = []
        var growth: [(since: Int64, members: Int)] = []
        for message in systemMessages {
            switch message.action {
            case .joined: members.insert(message.actor)
            case .created(_, let people): members.formUnion(people + [message.actor])
            case .added(let people), .welcomed(let people): members.formUnion(people)
            case .removed(let person): members.remove(person)
            case .left: members.remove(message.actor)
            case .promoted, .demoted, .renamed, .described, .photo, .setting, .actingAdmin: continue
            }
            growth.append((message.hybridTime, min(members.count, Self.capacity)))
        }
        if let last = growth.indices.last { growth[last].members = self.members.count }
        return growth
    }
}
