/// The rules that an operation can break, each with a stable code and a sentence. Each is found in the file that is
/// named with it.
public enum Rule: String, Hashable, Sendable, CaseIterable {
    // CreationRule.swift
    case notTheRoot = "not_the_root"
    // StaticCheck.swift
    case neverAMember = "never_a_member"
    // AnswerRule.swift
    case inviteUnknown = "invite_unknown"
    case inviteOfAnother = "invite_of_another"
    case codeDeclined = "code_declined"
    // AnswerRule.swift, CodeRule.swift
    case inviteUsed = "invite_used"
    // InviteRule.swift, Effectiveness.swift
    case inviteVoid = "invite_void"
    case inviteEnded = "invite_ended"
    // AuthorityRule.swift, AdditionRule.swift
    case grantUnknown = "grant_unknown"
    case grantOfAnother = "grant_of_another"
    case notActingAdmin = "not_acting_admin"
    case roleTooLow = "role_too_low"
    // Effectiveness.swift
    case grantVoid = "grant_void"
    // AdditionRule.swift, Effectiveness.swift
    case settingVoid = "setting_void"
    // PromotionRule.swift
    case grantsTooMuch = "grants_too_much"
    case targetNotAMember = "target_not_a_member"
    // RemovalRule.swift
    case targetsSelf = "targets_self"
    case targetIsActingAdmin = "target_is_acting_admin"
    case outranked = "outranked"
    // DemotionRule.swift
    case demotesToNothingLess = "demotes_to_nothing_less"
    // RatificationRule.swift
    case keepsAStranger = "keeps_a_stranger"
    case keepsTooHigh = "keeps_too_high"
    // RevocationRule.swift
    case revoked = "revoked"
    case inviterRevoked = "inviter_revoked"
    // DeviceRule.swift
    case pinUnknown = "pin_unknown"
    case deviceRevoked = "device_revoked"

    /// The rule in words, said of an operation that breaks it.
    public var sentence: String {
        switch self {
        case .notTheRoot: "a group is created once"
        case .neverAMember: "its author never was a member there"
        case .inviteUnknown: "it does not follow the invite it names"
        case .inviteOfAnother: "the invite was for somebody else"
        case .codeDeclined: "an invite by code is nobody's to decline"
        case .inviteUsed: "somebody else had used the code of the invite"
        case .inviteVoid: "the invite is void"
        case .inviteEnded: "the invite was canceled or declined"
        case .grantUnknown: "it acts under no grant of its past"
        case .grantOfAnother: "it acts under somebody else's grant"
        case .grantVoid: "the operation that made the grant it acts under is void"
        case .settingVoid: "the setting by which every member could add people does not count"
        case .notActingAdmin: "its author was not the acting admin"
        case .roleTooLow: "the role of its author does not suffice"
        case .grantsTooMuch: "nobody grants more than they have, and nobody grants founder"
        case .targetsSelf: "nobody removes or demotes themselves"
        case .targetNotAMember: "the person was not a member there"
        case .targetIsActingAdmin: "the acting admin cannot be removed"
        case .outranked: "the person ranks above its author"
        case .demotesToNothingLess: "it leaves the person with no less than they had"
        case .keepsAStranger: "it keeps somebody who never was a member"
        case .keepsTooHigh: "it keeps somebody as admin or founder"
        case .revoked: "the authority it acts under was revoked"
        case .inviterRevoked: "the authority of the person who made the invite was revoked"
        case .pinUnknown: "it does not follow everything that it pins"
        case .deviceRevoked: "the device on which it was written was revoked"
        }
    }
}
