/// Why content of a group is cut off, and so does not count: the rule, and the operation that decided.
public struct CutOff<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The rule.
    public let rule: CutOffRule
    /// What took the author out, made their grant or set who writes; nil where nothing alone decided.
    public let decidedBy: ID?

    private init(_ rule: CutOffRule, by decider: ID?) {
        self.rule = rule
        decidedBy = decider
    }

    /// Judges a content operation; nil if it counts.
    ///
    /// - Parameters:
    ///   - standing: the author's; nil where nobody has to ask, as they were a member by what is effective, and
    ///     everybody may write.
    ///   - exit: an effective operation outside the content's membership past that takes its author out, and no pin of
    ///     it covers the content.
    ///   - setting: the effective `set` by which only moderators and more write there; nil if it is not so, or if the
    ///     content says nothing new.
    public init?(standing: Standing<ID>?, unseenBy exit: ID?, announcement setting: ID?) {
        switch standing {
        case .outsider: self.init(.notAMember, by: nil)
        case .void(let maker): self.init(.additionVoid, by: maker)
        case .role(.member) where exit == nil && setting != nil: self.init(.onlyModerators, by: setting)
        case .role, nil:
            guard let exit else { return nil }
            self.init(.authorRemoved, by: exit)
        }
    }
}
