import ReplicatedTypes

extension MembershipResolver {
    /// The people who hold a live grant of at least a tier: participants from member up, moderators, admins.
    ///
    /// An observed-remove set whose additions are the grants that count, named by operation and place. Where an ordinary set is told
    /// by each removal which additions it saw, here authority decides which ones it reaches: a strong removal takes also what was
    /// granted beside it. The acting admin is in no set before he has acted.
    ///
    /// - Complexity: O(*g*) in all grants.
    public func grants(atLeast tier: Tier) -> ObservedRemoveSet<Person, ID> {
        var now = now
        var set = ObservedRemoveSet<Person, ID>()
        for record in now.history.records.indices where now.settled(record) {
            for grant in now.history.records[record].grants {
                let place = grant - now.history.records[record].grants.lowerBound
                let dot = Dot(replica: now.history.names[record], counter: UInt64(place) + 1)
                let holder = now.history.people[now.history.grants[grant].holder]
                set.insert(holder, by: dot)
                if !now.level(of: grant).suffices(for: tier) { set.remove(holder, addedBy: dot) }
            }
        }
        return set
    }
}
