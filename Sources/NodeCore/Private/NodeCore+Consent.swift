import Conversations
import OperationLog

/// Groups that others added the user to, where he wants to be asked first: until he accepts, nothing is said there in his name.
///
/// For everybody else he is a member from the moment he was added, and need not know that he was asked: that he wants to be is his own
/// affair, like what he reads. What he accepted is the operation that added him, and it holds for as long as that makes him a member: who is
/// removed and added again is asked again, who is added twice is not. What is kept of it is a preference, so what he says on one device
/// will hold on all.
extension NodeCore {
    /// Whether the user wants to be asked before a group that others add him to is his.
    public var asksWhenAdded: Bool { context.asksWhenAdded }

    /// Switches on or off that the user is asked. The groups he is in when he switches it on are his without a question.
    ///
    /// - Throws: `disk_full`, `storage_failed`.
    public mutating func setAsksWhenAdded(_ asks: Bool, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard asks != asksWhenAdded else { return }
        // First, so that nothing he is in seems new to him if the disk fails in between.
        if asks { for replica in replicas.values.sorted(by: { $0.id < $1.id }) { try consent(in: replica) } }
        let waiting = replicas.values.filter(awaitsConsent).map(\.id).sorted()
        var change = ConversationPreferencesUpdate()
        change.asksWhenAdded = asks
        try keep(change, of: ownConversation)
        show(.person(me))
        tellFiles(.welcomeChanged)
        for conversation in waiting { show(.conversation(conversation)) }
    }

    /// Whether others made the user a member of a group, and he has not said yet whether he wants to be.
    public func awaitsConsent(_ replica: Replica) -> Bool { context.awaitsConsent(replica) }

    /// Whether the user is to say whether he wants to be in a group: he is invited, or was added and wants to be asked.
    public func isRequest(_ replica: Replica) -> Bool { !requesters(into: replica).isEmpty }

    /// Who wants the user in a group, while the user has not answered.
    func requesters(into replica: Replica) -> [UserID] {
        context.requesters(into: replica)
    }

    /// Notes that the user wants to be a member of the group, as he is now.
    mutating func consent(in replica: Replica) throws(NodeError) {
        guard let adding = replica.group.adding(of: me) else { return }
        var change = ConversationPreferencesUpdate()
        change.consentsTo = adding
        try keep(change, of: replica.id)
        show(.conversation(replica.id))
        tellFiles(.welcomeChanged)
    }

    /// Refuses what only somebody may do who is a member and wants to be.
    func requireMembership(in replica: Replica) throws(NodeError) {
        guard replica.group.isMember(me) else {
            throw NodeError(.notAParticipant, "You are not a participant in this conversation")
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
