import Conversations
import OperationLog
import Replication

extension CardExchange {
    /// The people shared with a peer.
    ///
    /// A group remembers everybody who was ever in it, and a hostile member can add and remove people without end. So
    /// those who are out are not listed: only of the few who ended their identity it is asked whether a group names
    /// them.
    struct Circle {
        /// Who they are, without the two whose nodes are connected: these introduce themselves.
        let people: Set<UserID>
        /// What is held of the cards that are passed on, ascending by person.
        let versions: [CardVersion]
        /// Whether no card is held of one of the people.
        let isMissing: Bool
        /// People who were looked at to find that: what it costs.
        let visited: Int
        private let groups: [Group]
        private let ends: Set<UserID>

        /// A circle of nobody.
        init() { self.init(in: [], without: [], knowing: People()) }

        /// Finds the members of groups, and what is held of them.
        ///
        /// - Parameter ends: the two whose nodes are connected.
        init(in groups: [Group], without ends: Set<UserID>, knowing contacts: People) {
            let members = groups.reduce(into: Set()) { $0.formUnion($1.members.lazy.map(\.user)) }
            let people = members.subtracting(ends)
            let deleted = contacts.deleted.filter { user in
                !people.contains(user) && !ends.contains(user) && groups.contains { $0.names(user) }
            }
            let held = people.compactMap { contacts[$0].cardVersion }
            isMissing = held.count < people.count
            versions = (held + deleted.compactMap { contacts[$0].cardVersion }).sorted { $0.user < $1.user }
            visited = members.count + contacts.deleted.count
            (self.people, self.groups, self.ends) = (people, groups, ends)
        }

        /// Whether there is nobody of whom anything could be passed on.
        var isEmpty: Bool { !groups.contains { $0.namesAnybody(besides: ends) } }

        /// Whether a card is one of those that are passed on. Of those who were members, or are invited, only deletions
        /// are.
        func counts(_ version: CardVersion) -> Bool {
            if people.contains(version.user) { return true }
            return version.isDeletion && !ends.contains(version.user) && groups.contains { $0.names(version.user) }
        }
    }
}
