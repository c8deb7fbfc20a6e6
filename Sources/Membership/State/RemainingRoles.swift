/// What is left of grants, as far as it was found.
struct RemainingRoles: Sendable {
    private var known: [RemainingRole?] = []
    /// For each person whose grants were asked about those of which something may be left, ascending.
    private var live: [Int: [Int]] = [:]
    /// The grants of admin or founder of which as much may be left, ascending; nil where they were not asked about.
    private(set) var offices: [Int]?

    /// What is left of a grant; nil where it was not asked for.
    subscript(grant: Int) -> RemainingRole? { grant < known.count ? known[grant] : nil }

    /// Notes what is left of a grant.
    mutating func note(_ remaining: RemainingRole, leftOf grant: Int, of person: Int) {
        if known.count <= grant { known.append(contentsOf: repeatElement(nil, count: grant + 1 - known.count)) }
        known[grant] = remaining
        if remaining > .gone { mayBeLive(grant, of: person, isHigh: remaining >= .admin) }
    }

    /// Forgets what is left of a grant.
    mutating func forget(_ grant: Int, of person: Int, isHigh: Bool) {
        if grant < known.count { known[grant] = nil }
        mayBeLive(grant, of: person, isHigh: isHigh)
    }

    /// Makes a grant one of which something may be left.
    mutating func mayBeLive(_ grant: Int, of person: Int, isHigh: Bool) {
        if live[person] != nil { live[person]?.insertAscending(grant) }
        if isHigh { offices?.insertAscending(grant) }
    }

    /// The grants of a person of which something may be left; nil if they were not asked about.
    func candidates(of person: Int) -> [Int]? { live[person] }

    /// Keeps which grants of a person may be live.
    mutating func keep(_ candidates: [Int], of person: Int) { live[person] = candidates }

    /// Keeps which grants may make somebody admin or founder.
    mutating func keep(offices: [Int]) { self.offices = offices }
}

extension [Int] {
    /// Puts a number where it belongs, unless it is there.
    fileprivate mutating func insertAscending(_ number: Int) {
        if let last, last < number { return append(number) }
        let place = firstPlace { $0 >= number }
        if place < count, self[place] == number { return }
        insert(number, at: place)
    }
}
