import Conversations
import Cryptography
import OperationLog
import Replication

/// What the user keeps for themselves about conversations and people, on all of their devices.
///
/// Every piece of it is a state that merges, so devices that were apart come to the same, in whatever order they meet.
struct PersonalState {
    /// Pieces that are kept of what other devices bring.
    static let maximumCount = 1 << 14
    /// Bytes of their encodings.
    static let maximumBytes = 16 << 20

    /// What is kept about conversations, those about which something was said. They need not be here.
    private(set) var conversations: [ConversationID: ConversationPreferences] = [:]
    /// Whom the user does not want to hear.
    private(set) var blocks = PersonMarks()
    /// With whom the user compared codes.
    private(set) var verifications = PersonMarks()
    /// Which states these are, as devices compare them.
    private(set) var index = PrivateIndex()
    /// Devices that are the user's no more: what they wrote later is not taken.
    var formerDevices: Set<DeviceID> = []

    /// Nothing was said.
    init() {}

    /// Takes over what is kept on disk.
    init(
        conversations: [ConversationID: ConversationPreferences], blocks: [UserID: PersonMark],
        verifications: [UserID: PersonMark]
    ) {
        for (conversation, state) in conversations { keep(state, of: conversation) }
        keep(blocks: blocks)
        keep(verifications: verifications)
    }

    /// Takes over what is kept about a conversation now.
    mutating func keep(_ state: ConversationPreferences, of conversation: ConversationID) {
        let encoded = state.encoded
        guard encoded != Self.nothingSaid else { return forget(conversation) }
        conversations[conversation] = state
        index.replace(PrivateSubject(.conversation, of: conversation), with: encoded)
    }

    private static let nothingSaid = ConversationPreferences().encoded

    /// Forgets what was kept about a conversation.
    mutating func forget(_ conversation: ConversationID) {
        conversations[conversation] = nil
        index.replace(PrivateSubject(.conversation, of: conversation), with: nil)
    }

    /// Takes over marks of who is blocked. A person of whom they say nothing is forgotten.
    mutating func keep(blocks changes: [UserID: PersonMark]) {
        blocks.apply(changes)
        for user in changes.keys { index.replace(PrivateSubject(.block, of: user), with: blocks.people[user]?.encoded) }
    }

    /// Takes over marks of with whom codes were compared. A person of whom they say nothing is forgotten.
    mutating func keep(verifications changes: [UserID: PersonMark]) {
        verifications.apply(changes)
        for user in changes.keys {
            index.replace(PrivateSubject(.verification, of: user), with: verifications.people[user]?.encoded)
        }
    }

    /// The state of a piece; where nothing was said, one in which nothing was written. Nil for a kind that only a later
    /// version knows.
    func state(of subject: PrivateSubject) -> [UInt8]? {
        switch subject.kind {
        case .conversation: (conversations[ConversationID(digest: subject.id)] ?? ConversationPreferences()).encoded
        case .block: (blocks.people[UserID(digest: subject.id)] ?? PersonMark()).encoded
        case .verification: (verifications.people[UserID(digest: subject.id)] ?? PersonMark()).encoded
        default: nil
        }
    }
}

// MARK: - Comparing

extension PersonalState {
    /// What is held, by bucket.
    mutating func summary() -> PrivateSummary { index.currentSummary() }

    /// What is held, as a digest.
    mutating func digest() -> PrivateDigest { summary().digest }
}
