/// Something that happens in a simulation from outside: what a person does, what breaks, what a liar tries.
///
/// People, hosts and conversations are named by numbers that are taken modulo what there is, so that a plan still means
/// something when parts of it are left out.
package struct Step: Hashable, Codable, Sendable {
    /// What happens.
    package enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
        // What people do.
        case create, direct, send, read, annotate, add, remove, promote, demote, rename, announce, letAdd, invite,
            answer, offer, redeem, leave, profile, type, attach, link,
            retire, revoke, keep
        // What breaks on the network. `value` is how long, in milliseconds.
        case isolate, cutOneWay, reset, stall
        // What breaks on a host. `value` is how long, in milliseconds, or the point where it happens.
        case kill, loseBeforeWriting, loseBeforeSyncing, loseAfterSyncing, freeze, setClock, fillDisk, breakDisk,
            backUp, restore
        // What a liar does.
        case fork, forge, overreach, corrupt, withhold, flood, impersonate, hide, misseal, presume
        // Goes on with a device that is not theirs, whatever its user said of it since.
        case steal
        case falsifyReceipts = "boast"
        case falsifyTyping = "babble"
        // What a liar does who attacks sizes, counts and timeouts; `value` is how much.
        case bloat, bare, branch, reissue, usurp, linger, falsifyKeys, dribble, pester, intrude, silence
    }

    /// When, in milliseconds since the start.
    package var at: Int
    /// The host.
    package var host: Int
    /// What happens.
    package var kind: Kind
    /// The conversation, among those the host knows.
    package var conversation: Int
    /// Another host, or a member.
    package var other: Int
    /// A count, a length or a choice.
    package var value: Int
}

extension Step.Kind {
    /// Who or what brings a step about.
    private enum Origin {
        case person, failure, liar
    }

    private var origin: Origin {
        switch self {
        case .create, .direct, .send, .read, .annotate, .add, .remove, .promote, .demote, .rename, .announce, .letAdd,
            .invite, .answer, .offer, .redeem, .leave, .profile, .type, .attach, .link, .retire, .revoke,
            .keep:
            .person
        case .isolate, .cutOneWay, .reset, .stall, .kill, .loseBeforeWriting, .loseBeforeSyncing, .loseAfterSyncing,
            .freeze, .setClock, .fillDisk, .breakDisk, .backUp, .restore:
            .failure
        case .fork, .forge, .overreach, .corrupt, .withhold, .flood, .impersonate, .hide, .misseal, .presume,
            .steal, .falsifyReceipts, .falsifyTyping, .bloat, .bare, .branch, .reissue, .usurp, .linger, .falsifyKeys,
            .dribble, .pester, .intrude, .silence:
            .liar
        }
    }

    /// Whether a person asks for it.
    package var isCommand: Bool { origin == .person }

    /// Whether the network fails, and no host.
    var isOnNetwork: Bool { [.isolate, .cutOneWay, .reset, .stall].contains(self) }

    /// Whether only a liar does it.
    package var isLie: Bool { origin == .liar }

    /// Whether it attacks sizes, counts and timeouts. Such lies are drawn apart from the others: see ``Siege``.
    package var isSiege: Bool { Siege.all.contains(self) }
}
