import Conversations
import OperationLog
import Replication
import Time

/// Groups that others added the user to, where they want to be asked first: until they accept, nothing is said there in
/// their name.
///
/// For everybody else they are a member from the moment they were added, and need not know that they were asked: that
/// they want to be is their own affair, like what they read. What they accepted is the operation that added them, and
/// it holds as long as that operation makes them a member. A user who is removed and added again is asked again; a user
/// who is added twice is not. What is kept of it is a preference, so what they say on one device will hold on all.
extension NodeCore {
    /// Whether the user wants to be asked before a group that others add them to is theirs.
    public var asksWhenAdded: Bool { context.asksWhenAdded }

    /// Switches on or off that the user is asked. The groups they are in when they switch it on are theirs without a
    /// question.
    ///
    /// - Throws: `disk_full`, `storage_failed`.
    public mutating func setAsksWhenAdded(_ asks: Bool, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard asks != asksWhenAdded else { return }
        // First, so that nothing they are in seems new to them if the disk fails in between.
        if asks { for replica in replicas.values.sorted(by: { $0.id < $1.id }) { try consent(in: replica) } }
        let waiting = replicas.values.filter(awaitsConsent).map(\.id).sorted()
        var change = ConversationPreferencesUpdate()
        change.asksWhenAdded = asks
        try keep(change, of: ownConversation)
        show(.person(me))
        welcomeChanged()
        for conversation in waiting { show(.conversation(conversation)) }
    }

    /// Notes that the user takes part in a conversation.
    mutating func takePart(in conversation: ConversationID) {
        if context.familiarity.joined.insert(conversation).inserted { welcomeChanged() }
    }

    /// Takes up what had no room as long as the user had not accepted it: they may have now.
    mutating func welcomeChanged() {
        tellFiles(.welcomeChanged)
        replicate(.roomMade)
    }

    /// Whether others made the user a member of a group, and they have not said yet whether they want to be.
    public func awaitsConsent(_ replica: Replica) -> Bool { context.awaitsConsent(replica) }

    /// Whether the user is to say whether they want to be in a group: they are invited, or were added and want to be
    /// asked.
    public func isRequest(_ replica: Replica) -> Bool { !requesters(into: replica).isEmpty }

    /// Who wants the user in a group, while the user has not answered.
    func requesters(into replica: Replica) -> [UserID] {
        context.requesters(into: replica)
    }

    /// Notes that the user wants to be a member of the group, as they are now.
    mutating func consent(in replica: Replica) throws(NodeError) {
        guard let adding = replica.group.adding(of: me) else { return }
        var change = ConversationPreferencesUpdate()
        change.consentsTo = adding
        try keep(change, of: replica.id)
        show(.conversation(replica.id))
        welcomeChanged()
    }

    /// Throws unless the user is a member and has accepted the conversation.
    func requireMembership(in replica: Replica) throws(NodeError) {
        try requireIdentity()
        guard replica.group.isMember(me) else {
            guard replica.group.isWaiting(me) else {
                throw NodeError(.notAParticipant, "You are not a participant in this conversation")
            }
            throw NodeError(
                .notAParticipant, "The group is full, and you wait for room in it",
                hint: "You read and write there as soon as somebody else is out.")
        }
        try checkConsent(in: replica)
    }

    /// Refuses what others would notice in a group that the user was added to and has not accepted.
    func checkConsent(in replica: Replica) throws(NodeError) {
        guard !awaitsConsent(replica) else {
            throw NodeError(
                .notAccepted, "You were added to this group, and have not accepted it yet",
                hint: "'moot accept' makes it yours, 'moot decline' leaves it.")
        }
    }
}
