/// What the membership rules make of a made-up lane.
public struct ScenarioAnswer: Hashable, Sendable, Codable {
    /// Who is in the group, without those who wait, in the order of their names.
    public var members: [ScenarioMember]
    /// Who acts as admin.
    public var actingAdmin: String?
    /// Whether fewer than two members are left.
    public var archived: Bool
    /// Who has no room, in the order of their names.
    public var waitlist: [String]
    /// The registers, in the order of their names.
    public var fields: [ScenarioField]
    /// The operations that do not count, in the order of their names.
    public var void: [ScenarioVoid]
    /// What counts of what was written, in the order of its names; absent where the scenario has nothing written.
    public var content: [ScenarioContentAnswer]?

    package init(
        members: [ScenarioMember], actingAdmin: String? = nil, archived: Bool, waitlist: [String],
        fields: [ScenarioField], void: [ScenarioVoid], content: [ScenarioContentAnswer]? = nil
    ) {
        self.members = members
        self.actingAdmin = actingAdmin
        self.archived = archived
        self.waitlist = waitlist
        self.fields = fields
        self.void = void
        self.content = content
    }
}

/// Whether something written in a made-up group counts.
public struct ScenarioContentAnswer: Hashable, Sendable, Codable {
    /// What the scenario calls it.
    public var id: String
    /// With how much say it counts, `moderator` or `member`; else the rule by which it does not: a stable code.
    public var result: String
    /// The rule in words, said of what was written; absent where it counts.
    public var sentence: String?
    /// The operation that decided that it does not count.
    public var decidedBy: String?

    package init(id: String, result: String, sentence: String? = nil, decidedBy: String? = nil) {
        self.id = id
        self.result = result
        self.sentence = sentence
        self.decidedBy = decidedBy
    }
}

/// A member of a made-up group.
public struct ScenarioMember: Hashable, Sendable, Codable {
    /// What the scenario calls the person.
    public var person: String
    /// The role; admin for the acting admin.
    public var role: String

    package init(person: String, role: String) {
        self.person = person
        self.role = role
    }
}

/// A register of a made-up group.
public struct ScenarioField: Hashable, Sendable, Codable {
    /// What it is called.
    public var name: String
    /// What it holds.
    public var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// An operation of a made-up lane that does not count.
public struct ScenarioVoid: Hashable, Sendable, Codable {
    /// What the scenario calls the operation.
    public var id: String
    /// The rule that it breaks: a stable code.
    public var rule: String
    /// The rule in words, said of the operation.
    public var sentence: String
    /// The operation that decided.
    public var decidedBy: String?

    package init(id: String, rule: String, sentence: String, decidedBy: String? = nil) {
        self.id = id
        self.rule = rule
        self.sentence = sentence
        self.decidedBy = decidedBy
    }
}
