import ReplicatedTypes

extension MembershipResolver {
    /// The people who hold a live grant of at least a role: participants from member up, moderators, admins.
    ///
    /// The state as an observed-remove set, for readers who know CRDTs. Its additions are the effective grants, and
    /// each dot is an operation with a counter from 1, so the causal context has no gaps. An acting admin is an admin
    /// here only after they have acted.
    ///
    /// - Complexity: O(*g*) in all grants.
    public func grants(atLeast role: Role) -> ObservedRemoveSet<Person, ID> {
        var current = settled.current
        var set = ObservedRemoveSet<Person, ID>()
        for record in current.history.records.indices where current.counts(record) {
            for (place, grant) in current.history.records[record].grants.enumerated() {
                let dot = Dot(replica: directory.operations[record], counter: UInt64(place) + 1)
                let holder = directory.people[current.history.grants[grant].holder]
                set.insert(holder, by: dot)
                if !current.remainingRole(of: grant).suffices(for: role) { set.remove(holder, addedBy: dot) }
            }
        }
        return set
    }
}
