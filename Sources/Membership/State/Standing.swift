/// How a person stands: his role, and the grant that says since when.
struct Standing: Hashable, Sendable {
    /// The highest tier at which a grant of his is live.
    var role: Tier
    /// His most senior grant that is live at member or founder, else his most senior live one.
    ///
    /// A promotion makes nobody more senior, and a demotion nobody less.
    let grant: Int
}

extension Evaluation {
    /// How a person stands; nil for who is no member. The acting admin is not considered.
    mutating func standing(of person: Int) -> Standing? {
        var role: Tier?
        var basic: Int?
        var other: Int?
        for grant in history.grantsOf[person] {
            guard let tier = level(of: grant).tier else { continue }
            role = max(role ?? tier, tier)
            if tier == .member || tier == .founder {
                basic = moreSenior(basic, grant)
            } else {
                other = moreSenior(other, grant)
            }
        }
        guard let role, let grant = basic ?? other else { return nil }
        return Standing(role: role, grant: grant)
    }

    /// A person's role; nil for who is no member. The acting admin is not considered.
    mutating func role(of person: Int) -> Tier? { standing(of: person)?.role }

    /// The more senior of two grants of one person.
    ///
    /// Of two that were made beside each other at the same slot it is the same one on every replica.
    func moreSenior(_ one: Int?, _ other: Int) -> Int {
        guard let one else { return other }
        let (seniority, otherSeniority) = (seniority(of: one), seniority(of: other))
        if seniority != otherSeniority { return seniority < otherSeniority ? one : other }
        return history.isEarlier(history.grants[one].operation, than: history.grants[other].operation) ? one : other
    }

    func seniority(of grant: Int) -> Seniority { history.grants[grant].rank.seniority }
}
