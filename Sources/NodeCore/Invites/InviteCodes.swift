import Conversations
import OperationLog
import Replication
import Time

/// Follows invites by code: those of this user until they are taken back, and those by which this user wants to join
/// until somebody else holds the join.
///
/// Whoever wrote a join and was cut off before an honest member had it is a stranger to the others, and strangers are
/// told nothing. So the proof is shown on, by every connection and after every start, until an operation of somebody
/// else stands on top of the join.
struct InviteCodes {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// The node has started: a join of this user may be held by nobody else.
        case started(ConversationID)
        /// The membership of a conversation changed, or may have.
        case membersChanged(ConversationID)
        /// The user wants to join by an offer.
        case wanted(InviteOffer)
        /// The user wants to join no more, or is a member.
        case ended(ConversationID)
        /// An invite by which the user wants to join turned out to be of no use.
        case failed(InviteOffer, NodeError.Code)
        /// A peer says that an invite is of no use.
        case refused(InviteRefusal, OperationID, by: PeerHandle)
        /// This user's join was written.
        case joined(ConversationID)
    }

    /// An invite by code that the user wants to join by, while nobody has let them in.
    private struct Joining {
        let offer: InviteOffer
        /// What somebody said who may not know, or may lie.
        var unconfirmedRefusal: InviteRefusal?
    }

    /// Codes by which this user can wait to join at one time: more than that nobody remembers of them.
    static let maximumJoins = Replicator.maximumProofs
    /// How long to wait after an invite could not be taken back, in milliseconds.
    private static let backoff: Int64 = 5_000

    /// The invites by code that this user wants to join by.
    private var joinings: [ConversationID: Joining] = [:]
    /// Why invites by code did not let this user in.
    private var failures: [OperationID: NodeError] = [:]
    /// The conversations that this user joined by a code, as far as perhaps nobody else holds the join.
    private var unreplicatedJoins: Set<ConversationID> = []
    /// When the first of their own invites by code ends, in each conversation that has one.
    private var ends: [ConversationID: Timestamp] = [:]
    private var requests: [MachineRequest] = []

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            let ended = joinings.filter { $0.value.offer.end <= context.moment.wall }.keys
            for conversation in ended.sorted() { end(conversation) }
        case .started(let conversation): showJoin(in: conversation, context)
        case .membersChanged(let conversation):
            if let replica = context.replicas[conversation] { plan(replica, context) }
            settleJoin(in: conversation, context)
        case .wanted(let offer): begin(offer, context)
        case .ended(let conversation): end(conversation)
        case .failed(let offer, let code): fail(offer, code)
        case .refused(let reason, let invite, let peer): hear(reason, about: invite, from: peer, context)
        case .joined(let conversation):
            joinings[conversation] = nil
            unreplicatedJoins.insert(conversation)
            settleJoin(in: conversation, context)
        }
        defer { requests = [] }
        return requests
    }

    /// When to look next for codes that have ended, this user's and those by which they wait to join. A node that has
    /// stopped writing takes back no code, so it must not wake for one: it would wake again and again.
    func nextDeadline(in context: NodeContext) -> Instant? {
        ((context.writesNothing ? [] : Array(ends.values)) + joinings.values.map(\.offer.end)).min().map {
            context.now + .milliseconds(max(0, $0.milliseconds - context.moment.wall.milliseconds))
        }
    }

    // MARK: - Whoever wants to join

    /// The conversations that the user waits to join.
    var awaited: Set<ConversationID> { Set(joinings.keys) }

    /// Whether somebody is waited for who lets the user in, or who holds that they are.
    var isWaiting: Bool { !joinings.isEmpty || !unreplicatedJoins.isEmpty }

    /// The offer by which the user wants to join a conversation.
    func offer(for conversation: ConversationID) -> InviteOffer? { joinings[conversation]?.offer }

    /// Whether the user can wait to join a conversation besides those they wait for already.
    func hasRoom(for conversation: ConversationID) -> Bool {
        joinings[conversation] != nil || joinings.count < Self.maximumJoins
    }

    /// What somebody said of an offer who may not know, or may lie.
    func unconfirmedRefusal(of offer: InviteOffer) -> InviteRefusal? {
        joinings[offer.conversation].flatMap { $0.offer.invite == offer.invite ? $0.unconfirmedRefusal : nil }
    }

    /// Why an invite did not let this user in; told once.
    mutating func takeFailure(of invite: OperationID) -> NodeError? { failures.removeValue(forKey: invite) }

    /// What to tell whose code is of no use.
    static func refusal(_ code: NodeError.Code) -> NodeError {
        let hint = "Ask for a new code."
        return switch code {
        case .codeUsed: NodeError(code, "Somebody has joined by this code already", hint: hint)
        case .codeExpired:
            // Each host judges by its own clock.
            NodeError(
                code, "The code was good for a time that is over",
                hint: hint + " If it is new, one of your clocks is wrong: 'moot status' compares them.")
        default: NodeError(.codeCanceled, "The code was taken back", hint: hint)
        }
    }

    private mutating func begin(_ offer: InviteOffer, _ context: NodeContext) {
        // The proof of a code by which this user still waits comes before those of joins that were written.
        while joinings.count + unreplicatedJoins.count >= Self.maximumJoins, let join = unreplicatedJoins.min() {
            unreplicatedJoins.remove(join)
            requests.append(.replicate(.withdrawn(join)))
        }
        joinings[offer.conversation] = Joining(offer: offer)
        let proof = InviteProof(of: offer.invite, to: offer.conversation, for: context.me, signedWith: offer.key)
        requests += offer.places.map { .keep($0, of: offer.device, success: nil) }
        requests.append(.replicate(.presenting(offer.conversation, offer.invite, proof)))
    }

    private mutating func end(_ conversation: ConversationID) {
        guard joinings.removeValue(forKey: conversation) != nil else { return }
        requests.append(.replicate(.withdrawn(conversation)))
    }

    private mutating func fail(_ offer: InviteOffer, _ code: NodeError.Code) {
        failures[offer.invite] = Self.refusal(code)
        end(offer.conversation)
    }

    /// Takes note of what a peer says about an invite. Only its inviter is believed: anybody who was shown the proof
    /// could say so.
    private mutating func hear(
        _ reason: InviteRefusal, about invite: OperationID, from peer: PeerHandle, _ context: NodeContext
    ) {
        guard let (conversation, joining) = joinings.first(where: { $0.value.offer.invite == invite }) else { return }
        joinings[conversation]?.unconfirmedRefusal = reason
        guard context.links[peer]?.identity?.device.id == joining.offer.device else { return }
        switch reason {
        case .used: fail(joining.offer, .codeUsed)
        case .canceled: fail(joining.offer, .codeCanceled)
        }
    }

    // MARK: - Joins that perhaps nobody else holds

    /// Shows the proof of the join by which this user is in a conversation, if perhaps nobody else holds it.
    private mutating func showJoin(in conversation: ConversationID, _ context: NodeContext) {
        guard let join = context.replicas[conversation]?.group.unreplicatedJoin(of: context.me) else { return }
        // More than that nobody remembers of one peer.
        guard joinings.count + unreplicatedJoins.count < Self.maximumJoins else { return }
        unreplicatedJoins.insert(conversation)
        requests.append(.replicate(.presenting(conversation, join.invite, join.proof)))
    }

    /// Shows the proof no more once somebody else is known to hold the join.
    private mutating func settleJoin(in conversation: ConversationID, _ context: NodeContext) {
        guard unreplicatedJoins.contains(conversation),
            context.replicas[conversation]?.group.unreplicatedJoin(of: context.me) == nil
        else { return }
        unreplicatedJoins.remove(conversation)
        requests.append(.replicate(.withdrawn(conversation)))
    }

    // MARK: - The inviter

    /// Notes when the first of this user's codes in a conversation is to be taken back. Who may not do that waits for
    /// no time: a role that they are given again is a commit, after which this is planned anew.
    private mutating func plan(_ replica: Replica, _ context: NodeContext) {
        ends[replica.id] = Self.ownCodes(in: replica, context)
            .filter { Self.authority(toTakeBack: $0, in: replica, context) != nil }
            .map { $0.state == .open ? $0.end : context.moment.wall }.min()
        requests.append(.wake)
    }

    /// When the first of this user's codes in a conversation is to be taken back; nil for none.
    func nextEnd(in conversation: ConversationID) -> Timestamp? { ends[conversation] }

    /// The conversations with codes that are to be taken back now.
    func ended(at time: Timestamp) -> [ConversationID] {
        ends.filter { $0.value <= time }.keys.sorted()
    }

    /// Notes that what has ended in a conversation could not be taken back, if so: a full disk is not asked again at
    /// once.
    mutating func postpone(_ conversation: ConversationID, at time: Timestamp) {
        guard let end = ends[conversation], end <= time else { return }
        ends[conversation] = Timestamp(clamping: time.milliseconds + Self.backoff)
    }

    /// Forgets a conversation of which nothing came.
    mutating func forget(_ conversation: ConversationID) { ends[conversation] = nil }

    /// The codes of this user that have let somebody in, or have ended: the first join ends an invite, so that nobody
    /// who holds the code can claim to have come first.
    func spentCodes(in conversation: ConversationID, _ context: NodeContext) -> [Group.Code] {
        guard let replica = context.replicas[conversation], ends[conversation] != nil else { return [] }
        return Self.ownCodes(in: replica, context).filter { code in
            switch code.state {
            case .used: true
            case .open: code.end <= context.moment.wall
            case .canceled, .void: false
            }
        }
    }

    /// Under which authority this user can take back a code; nil if they may not, or not any more.
    static func authority(
        toTakeBack code: Group.Code, in replica: Replica, _ context: NodeContext
    ) -> MembershipBody.Authority? {
        let permission = replica.group.permission(for: { .cancel(under: $0, invite: code.id) }, by: context.me)
        guard case .granted(let authority)? = permission else { return nil }
        return authority
    }

    /// The own invites by code that count and were not taken back.
    private static func ownCodes(in replica: Replica, _ context: NodeContext) -> [Group.Code] {
        replica.group.codes(of: context.me).filter { !$0.isTakenBack && $0.state != .void }
    }
}
