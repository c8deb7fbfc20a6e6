import Membership

/// What becomes of content.
public enum ContentVerdict: Hashable, Sendable {
    /// It counts. Who was moderator or more also decides about what others wrote.
    case counts(asModerator: Bool)
    /// It does not, by a rule, and the operation that decided.
    case doesNotCount(rule: String, by: Name?)

    /// The word for it in the result.
    public var word: String {
        switch self {
        case .counts(let isModerator): isModerator ? Role.moderator.name : Role.member.name
        case .doesNotCount(let rule, _): rule
        }
    }

    /// Why it does not count, in words; nil where it does.
    public var sentence: String? {
        guard case .doesNotCount(let rule, _) = self else { return nil }
        return CutOffRule(rawValue: rule)?.sentence ?? Rule(rawValue: rule)?.sentence
    }

    /// The operation by which it does not count.
    public var decidedBy: Name? {
        guard case .doesNotCount(_, let decider) = self else { return nil }
        return decider
    }
}

extension Scenario {
    typealias Resolver = MembershipResolver<Name, Name, Name>

    /// Judges the content, by its names.
    ///
    /// - Complexity: O(*n*) in the operations for each list of heads, and O(*c*) in the content for each that names
    ///   some.
    func verdicts(on content: [ScenarioContent], in resolver: Resolver) -> [(id: Name, verdict: ContentVerdict)] {
        let judge = ContentJudge(of: self, in: resolver, content: content)
        return Dictionary(grouping: content, by: \.heads).flatMap { heads, written in
            var past = judge.past(of: heads)
            return written.map { (id: $0.id, verdict: judge.verdict(on: $0, after: &past)) }
        }
        .sorted { $0.id < $1.id }
    }
}

/// Asks the lane of a scenario what decides about its content.
private struct ContentJudge {
    /// The past of some heads.
    struct Past {
        let operations: Set<Name>
        var membership = PartialMembership()
        /// By what only moderators write there.
        var announcement: Name?
    }

    private let resolver: Scenario.Resolver
    private let effective: [Scenario.Operation]
    private let order: [Name]
    private let seen: [Name: [Name]]
    private let content: [Name: ScenarioContent]

    init(of scenario: Scenario, in resolver: Scenario.Resolver, content: [ScenarioContent]) {
        let void = Set(resolver.void)
        self.resolver = resolver
        effective = scenario.operations.filter { !void.contains($0.id) }
        order = scenario.operations.map(\.id)
        seen = scenario.seen
        self.content = Dictionary(content.map { ($0.id, $0) }) { first, _ in first }
    }

    func past(of heads: [Name]) -> Past {
        let operations = order.filter { id in heads.contains { $0 == id || resolver.isKnown(id, to: $0) } }
        var past = Past(operations: Set(operations))
        resolver.include(operations, in: &past.membership)
        let settings = effective.filter { operation in
            guard case .set(_, AnnouncementSetting.field, _) = operation.action else { return false }
            return past.operations.contains(operation.id)
        }
        let last = settings.max { resolver.outwrites($1.id, $0.id) }
        if case .set(_, _, AnnouncementSetting.moderators) = last?.action { past.announcement = last?.id }
        return past
    }

    func verdict(on written: ScenarioContent, after past: inout Past) -> ContentVerdict {
        if let revocation = deviceRevocation(of: written) {
            return .doesNotCount(rule: Rule.deviceRevoked.rawValue, by: revocation)
        }
        let role = resolver.members(in: &past.membership).first { $0.person == written.author }?.role
        let grants = resolver.grants(of: written.author, in: &past.membership)
        let standing = resolver.standing(as: role, by: grants) { past.operations.contains($0) }
        let exits = effective.filter { exit in
            exit.takesOut(written.author) && !past.operations.contains(exit.id) && !isPinned(written, by: exit)
        }
        let cutOff = CutOff(
            standing: standing, unseenBy: resolver.earliest(of: exits.map(\.id)),
            announcement: written.kind.isAnnounced ? past.announcement : nil)
        if let cutOff { return .doesNotCount(rule: cutOff.rule.rawValue, by: cutOff.decidedBy) }
        return .counts(asModerator: standing.role.map { $0 >= .moderator } ?? false)
    }

    /// The earliest revocation of the device that wrote something, where nobody vouches for that: neither its user nor
    /// somebody else who took the user out without having seen a revocation of the device.
    private func deviceRevocation(of written: ScenarioContent) -> Name? {
        guard let device = written.device else { return nil }
        let revocations = resolver.revocations(of: device, of: written.author)
        let named = revocations.flatMap { seen[$0] ?? [] }
        guard !named.contains(where: { covers($0, written) }) else { return nil }
        let isKept = effective.contains { exit in
            exit.author != written.author && exit.takesOut(written.author) && isPinned(written, by: exit)
                && !revocations.contains { resolver.isKnown($0, to: exit.id) }
        }
        return isKept ? nil : resolver.earliest(of: revocations)
    }

    /// Whether the pin that an operation has for the device of some content covers that.
    private func isPinned(_ written: ScenarioContent, by exit: Scenario.Operation) -> Bool {
        let pins = (seen[exit.id] ?? []).compactMap { content[$0] }
            .filter { $0.author == written.author && $0.device == written.device }
        return pins.max { ($0.place, $0.id) < ($1.place, $1.id) }.map { covers($0.id, written) } ?? false
    }

    /// Whether a named operation is some content, or follows it on its chain, link by link.
    private func covers(_ named: Name, _ written: ScenarioContent) -> Bool {
        var next = content[named]
        while let operation = next, operation.place > written.place {
            next = operation.previous.flatMap { content[$0] }
        }
        return next?.id == written.id
    }
}

extension MembershipOperation<Name, Name, Name> {
    /// Whether the operation, if it counts, takes a person out.
    fileprivate func takesOut(_ person: Name) -> Bool {
        switch action {
        case .remove(_, let target): target == person
        case .leave: author == person
        case .ratify(_, _, let bans): bans.contains(person)
        case .create, .add, .invite, .join, .decline, .cancel, .promote, .demote, .set, .device, .merge, .stepdown,
            .revoke:
            false
        }
    }
}
