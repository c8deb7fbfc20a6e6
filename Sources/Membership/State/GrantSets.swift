import ReplicatedTypes

extension MembershipResolver {
    /// The people who hold a live grant of at least a role: participants from member up, moderators, admins.
    ///
    /// The folded state as the field knows it, for somebody who wants to look at it: an observed-remove set whose additions are the grants that count,
    /// named by their operation and counted in it from 1, so that the causal context has no gaps. Where an ordinary set is told
    /// by each removal which additions it saw, here authority decides which ones it reaches: a strong removal takes also what was
    /// granted concurrently. An acting admin is an admin here only after they have acted.
    ///
    /// - Complexity: O(*g*) in all grants.
    public func grants(atLeast role: Role) -> ObservedRemoveSet<Person, ID> {
        var current = settled.current
        var set = ObservedRemoveSet<Person, ID>()
        for record in current.history.records.indices where current.counts(record) {
            for grant in current.history.records[record].grants {
                let place = grant - current.history.records[record].grants.lowerBound
                let dot = Dot(replica: directory.operations[record], counter: UInt64(place) + 1)
                let holder = directory.people[current.history.grants[grant].holder]
                set.insert(holder, by: dot)
                if !current.remainingRole(of: grant).suffices(for: role) { set.remove(holder, addedBy: dot) }
            }
        }
        return set
    }
}
