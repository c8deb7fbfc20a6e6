/// The rules by which content is cut off, each with a stable code and a sentence.
public enum CutOffRule: String, Hashable, Sendable, CaseIterable {
    case notAMember = "not_a_member"
    case additionVoid = "addition_void"
    case authorRemoved = "author_removed"
    case onlyModerators = "only_moderators"

    /// The rule in words, said of content that it cuts off.
    public var sentence: String {
        switch self {
        case .notAMember: "its author was no member there"
        case .additionVoid: "what made its author a member is void"
        case .authorRemoved: "whoever took its author out had not seen it"
        case .onlyModerators: "only admins and moderators wrote there"
        }
    }
}
