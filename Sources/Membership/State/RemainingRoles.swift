/// What is left of grants, as far as it was found.
struct RemainingRoles: Sendable {
    private var known = Table<GrantNumber, RemainingRole?>()
    /// For each person whose grants were asked about those of which something may be left, ascending.
    private var live: [PersonNumber: [GrantNumber]] = [:]
    /// The grants of admin or founder of which as much may be left, ascending; nil where they were not asked about.
    private(set) var offices: [GrantNumber]?

    /// What is left of a grant; nil where it was not asked for.
    subscript(grant: GrantNumber) -> RemainingRole? { grant < known.endIndex ? known[grant] : nil }

    /// Notes what is left of a grant.
    mutating func note(_ remaining: RemainingRole, leftOf grant: GrantNumber, of person: PersonNumber) {
        known.grow(to: grant.advanced(by: 1), with: nil)
        known[grant] = remaining
        if remaining > .gone { mayBeLive(grant, of: person, isAdminGrant: remaining >= .admin) }
    }

    /// Forgets what is left of a grant.
    mutating func forget(_ grant: GrantNumber, of person: PersonNumber, isAdminGrant: Bool) {
        if grant < known.endIndex { known[grant] = nil }
        mayBeLive(grant, of: person, isAdminGrant: isAdminGrant)
    }

    /// Makes a grant one of which something may be left.
    mutating func mayBeLive(_ grant: GrantNumber, of person: PersonNumber, isAdminGrant: Bool) {
        if live[person] != nil { live[person]?.insertAscending(grant) }
        if isAdminGrant { offices?.insertAscending(grant) }
    }

    /// The grants of a person of which something may be left; nil if they were not asked about.
    func candidates(of person: PersonNumber) -> [GrantNumber]? { live[person] }

    /// Keeps which grants of a person may be live.
    mutating func keep(_ candidates: [GrantNumber], of person: PersonNumber) { live[person] = candidates }

    /// Keeps which grants may make somebody admin or founder.
    mutating func keep(offices: [GrantNumber]) { self.offices = offices }
}

extension [GrantNumber] {
    /// Puts a grant where it belongs, unless it is there.
    fileprivate mutating func insertAscending(_ grant: GrantNumber) {
        if let last, last < grant { return append(grant) }
        let place = partitioningIndex { $0 >= grant }
        if place < count, self[place] == grant { return }
        insert(grant, at: place)
    }
}
