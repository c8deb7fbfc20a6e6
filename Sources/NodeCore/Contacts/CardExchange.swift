import Conversations
import OperationLog
import Replication
import Time

/// Passes on the cards of members, so that the members of a group know the names of those whom they never meet.
///
/// Two peers compare digests of what they hold of the cards of the people they share: the members of every group in
/// which both of them are. Only where the digests stay different one of them names what it holds, and gets what is
/// newer. A card proves itself by the signature of its owner's root, so it counts whoever sent it. Of those who are
/// members no more only one card is passed on: that they ended their identity, for whoever does so leaves every group
/// first.
struct CardExchange {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// A conversation is recognized by both sides of a connection.
        case shared(PeerHandle, ConversationID)
        /// Others are members of a conversation than before.
        case membersChanged(ConversationID)
        /// Another card of a person is held than before.
        case cardChanged(of: UserID)
        /// A peer says something of cards.
        case heard(CardMessage, from: PeerHandle)
        /// A connection is over.
        case lost(PeerHandle)
    }

    /// What is known of a peer on its connection.
    private struct Peer {
        /// The conversations that both sides recognize.
        var conversations: Set<ConversationID> = []
        /// The digest of what is held here; nil where something has changed.
        var digest: CardDigest?
        /// What both said, and when it is told and asked.
        var comparison = Comparison<CardDigest, CardDigest>(at: CardExchange.pace)
        /// How often it may be told: right after it came more than once, for then names come.
        var tellings = TokenBucket(burst: 3, interval: CardExchange.tellInterval)
        /// Whether it named something newer than what is held here.
        var hasNewer = false
        /// The last person of the part about whom it was asked, where more parts follow.
        var continuesAfter: UserID?
    }

    /// How long what is held must have been settling before a peer is told of it.
    static let tellDelay: Duration = .milliseconds(500)
    /// How often a peer is told in the long run.
    static let tellInterval: Duration = .seconds(10)
    /// How long a difference may be only something on its way to either.
    static let grace: Duration = .seconds(3)
    /// The same where a card is missing here.
    static let shortGrace: Duration = .milliseconds(500)
    /// Names change rarely, and of somebody who is not known to be a member yet nothing is taken.
    private static let pace = Comparison<CardDigest, CardDigest>.Pace(
        tellDelay: tellDelay, grace: grace, longestRest: .seconds(300))
    /// Bytes of the answer to a question, at most.
    static let answerBytes = 512 * 1024

    private var peers: [PeerHandle: Peer] = [:]
    /// Whose turn it is to be asked.
    private var turns = PersonTurns()
    /// Who was asked last, and until when the others wait: what they send may be what those would.
    private var current: (user: UserID, until: Instant)?
    /// Until when those wait whose last turns were in vain: they are asked in addition to the others, one after the
    /// other.
    private var silentAskedUntil: Instant?
    private var requests: [MachineRequest] = []

    /// When there is something to do, at the earliest: what was dropped since it was planned costs a look that finds
    /// nothing.
    private(set) var nextDeadline: Instant?

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: NodeContext) -> [MachineRequest] {
        switch event {
        case .tick: flush(in: context)
        case .shared(let peer, let conversation):
            peers[peer, default: Peer()].conversations.insert(conversation)
            owe(peer, at: context.now)
        case .membersChanged(let conversation):
            for peer in peers.keys.sorted() where peers[peer]?.conversations.contains(conversation) == true {
                owe(peer, at: context.now)
            }
        case .cardChanged(let user):
            for peer in peers.keys.sorted() where concerns(user, peer, context) { owe(peer, at: context.now) }
        case .heard(.digest(let digest), let peer): hear(digest, from: peer, in: context)
        case .heard(.versions(let part), let peer): answer(part, to: peer, in: context)
        case .heard(.cards(let cards), let peer): take(cards, from: peer, in: context)
        case .lost(let peer): peers[peer] = nil
        }
        defer { requests = [] }
        return requests
    }

    // MARK: - The people shared with a peer

    /// The people shared with a peer, and what is held of their cards.
    ///
    /// - Complexity: O(*n* log *n*) in the members of the conversations shared with the peer, and in everybody known to
    ///   have ended their identity. Who else came and went costs nothing.
    func circle(with peer: PeerHandle, _ context: NodeContext) -> Circle {
        guard let other = context.links[peer]?.identity?.device.user, let state = peers[peer] else { return Circle() }
        let groups = state.conversations.compactMap { context.replicas[$0]?.group }
            .filter { $0.isMember(context.me) && $0.isMember(other) }
        return Circle(in: groups, without: [context.me, other], knowing: context.contacts)
    }

    /// Whether a person's card may be among those shared with a peer. One for whom it is found anew anyway need not be
    /// looked at.
    private func concerns(_ user: UserID, _ peer: PeerHandle, _ context: NodeContext) -> Bool {
        guard let state = peers[peer], state.digest != nil || state.comparison.tellAt == nil else { return false }
        let isDeleted = context.contacts[user].isDeleted
        return state.conversations.contains { conversation in
            guard let group = context.replicas[conversation]?.group else { return false }
            return group.isMember(user) || isDeleted && group.names(user)
        }
    }

    /// What is held of the people shared with a peer, as they would say it.
    private mutating func digest(for peer: PeerHandle, _ context: NodeContext) -> CardDigest {
        if let known = peers[peer]?.digest { return known }
        let digest = CardDigest(of: circle(with: peer, context).versions)
        peers[peer]?.digest = digest
        return digest
    }

    // MARK: - Telling

    /// Plans to tell a peer what is held, because something has changed.
    private mutating func owe(_ peer: PeerHandle, at now: Instant) {
        peers[peer]?.digest = nil
        let earliest = peers[peer]?.tellings.next
        wake(at: peers[peer]?.comparison.owe(at: now, notBefore: earliest))
    }

    /// Does what is due.
    private mutating func flush(in context: NodeContext) {
        guard nextDeadline.map({ $0 <= context.now }) == true else { return }
        for peer in peers.keys.sorted() {
            if let moment = peers[peer]?.comparison.tellAt, moment <= context.now { tell(peer, context) }
        }
        for peer in peersToAsk(context) { ask(peer, context) }
        nextDeadline = peers.values.lazy.compactMap(\.comparison.next).min()
    }

    private mutating func tell(_ peer: PeerHandle, _ context: NodeContext) {
        let circle = circle(with: peer, context)
        let digest = CardDigest(of: circle.versions)
        peers[peer]?.digest = digest
        // Nobody compares what is held of no people, unless they were told of some.
        if circle.isEmpty, peers[peer]?.comparison.told == nil {
            peers[peer]?.comparison.stopTelling()
        } else if peers[peer]?.comparison.tell(digest, at: context.now) == true {
            _ = peers[peer]?.tellings.take(at: context.now)
            send(.digest(digest), to: peer)
        }
        // The others mostly learn the same, and say so when they may.
        plan(peer, after: Self.tellInterval + Self.grace, context)
    }

    // MARK: - Comparing

    private mutating func hear(_ digest: CardDigest, from peer: PeerHandle, in context: NodeContext) {
        guard let state = peers[peer] else { return }
        peers[peer]?.comparison.hear(digest)
        // Where they have just met, the one who dialed asks at once.
        let asksAtOnce = state.comparison.askedAt == nil && context.links[peer]?.isOutgoing == true
        plan(peer, after: asksAtOnce ? .zero : Self.grace, context)
    }

    /// Plans to ask a peer that holds something else, or gives it up where both hold the same.
    private mutating func plan(_ peer: PeerHandle, after delay: Duration, _ context: NodeContext) {
        guard let comparison = peers[peer]?.comparison, let said = comparison.said else { return }
        if said == digest(for: peer, context) {
            peers[peer]?.comparison.noteEqual()
            peers[peer]?.hasNewer = false
            peers[peer]?.continuesAfter = nil
        } else if comparison.askAt == nil {
            let circle = circle(with: peer, context)
            // Before it is known here who is a member, nothing that comes would be taken.
            guard !circle.isEmpty else { return }
            let delay = circle.isMissing ? min(delay, Self.shortGrace) : delay
            wake(at: peers[peer]?.comparison.askLater(after: delay, at: context.now))
        }
    }

    private mutating func ask(_ peer: PeerHandle, at moment: Instant) {
        peers[peer]?.comparison.ask(at: moment)
        wake(at: moment)
    }

    /// The peers whom it is time to ask, as ``PersonTurns`` orders them: one device of each person, then a second of
    /// each.
    private mutating func peersToAsk(_ context: NodeContext) -> [PeerHandle] {
        if let last = current, last.until <= context.now {
            turns.miss(last.user)
            current = nil
        }
        let due = peers.filter { $0.value.comparison.askAt.map { $0 <= context.now } ?? false }.keys.sorted()
        let people = due.compactMap { peer in context.links[peer]?.identity.map { (peer: peer, user: $0.device.user) } }
        // Of one person whoever was asked longest ago.
        let ordered = people.sorted { one, other in
            let (oneAskedAt, otherAskedAt) = (
                peers[one.peer]?.comparison.askedAt, peers[other.peer]?.comparison.askedAt
            )
            return (oneAskedAt?.sinceStart ?? .seconds(-1), one.peer)
                < (otherAskedAt?.sinceStart ?? .seconds(-1), other.peer)
        }
        var rounds: [UserID: Int] = [:]
        let places = ordered.map { entry in
            defer { rounds[entry.user, default: 0] += 1 }
            return turns.place(of: entry.user, turnsInRound: rounds[entry.user, default: 0])
        }
        return zip(places, ordered).sorted { ($0.0, $0.1.peer) < ($1.0, $1.1.peer) }.map(\.1.peer)
    }

    /// Asks a peer for what is newer than what is held here.
    private mutating func ask(_ peer: PeerHandle, _ context: NodeContext) {
        peers[peer]?.comparison.stopAsking()
        let circle = circle(with: peer, context)
        guard let state = peers[peer], let user = context.links[peer]?.identity?.device.user, !circle.isEmpty,
            state.hasNewer || state.comparison.said != nil && state.comparison.said != digest(for: peer, context)
        else { return }
        // Nobody waits for who kept silent before. Not all of them are asked at once: who holds nothing newer is
        // silent, too.
        if turns.isVain(user) {
            if let until = silentAskedUntil, until > context.now { return ask(peer, at: until) }
            silentAskedUntil = context.now + PersonTurns.answerTimeout
        } else {
            if let current { return ask(peer, at: current.until) }
            current = (user, context.now + PersonTurns.answerTimeout)
        }
        turns.begin(user)
        let part = CardPart(of: circle.versions, after: state.continuesAfter)
        peers[peer]?.continuesAfter = part.isLast ? nil : part.versions.last?.user
        peers[peer]?.hasNewer = false
        peers[peer]?.comparison.noteAsked(at: context.now)
        send(.versions(part), to: peer)
        ask(peer, at: context.now + (part.isLast ? peers[peer]?.comparison.rest ?? Self.grace : Self.grace))
    }

    // MARK: - Answering

    private mutating func answer(_ part: CardPart, to peer: PeerHandle, in context: NodeContext) {
        guard let comparison = peers[peer]?.comparison else { return }
        let circle = circle(with: peer, context)
        let theirs = Dictionary(part.versions.map { ($0.user, $0) }) { first, _ in first }
        var (cards, room): ([[UInt8]], Int) = ([], Self.answerBytes)
        for version in circle.versions where part.covers(version.user) {
            guard theirs[version.user].map(version.supersedes) ?? true, let card = context.contacts[version.user].card
            else { continue }
            room -= card.encoded.count
            // What is above is asked for again.
            guard room >= 0 else { break }
            cards.append(card.encoded)
        }
        for start in stride(from: 0, to: cards.count, by: PeerMessage.maximumCards) {
            let end = min(start + PeerMessage.maximumCards, cards.count)
            send(.cards(Array(cards[start..<end])), to: peer, urgency: .bulk)
        }
        let ours = Dictionary(circle.versions.map { ($0.user, $0) }) { first, _ in first }
        let hasNewer = part.versions.contains { theirs in
            circle.counts(theirs) && ours[theirs.user].map(theirs.supersedes) ?? true
        }
        if hasNewer {
            peers[peer]?.hasNewer = true
            let moment = max(context.now, comparison.askedAt.map { $0 + comparison.rest } ?? context.now)
            ask(peer, at: min(comparison.askAt ?? moment, moment))
        } else if part.after == nil, part.isLast {
            // Then there is nothing to ask them about before they say that they hold something else.
            peers[peer]?.comparison.forgetSaid()
        }
    }

    // MARK: - Taking

    /// Takes cards of people who are shared with whoever sent them. Others are passed over: they may have been members.
    ///
    /// Nobody asks for their own card. So one of the user's own is taken unasked, where it comes alone: that is how a
    /// home that was restored or recovered learns which devices the user has, or that they ended their identity.
    private mutating func take(_ cards: [[UInt8]], from peer: PeerHandle, in context: NodeContext) {
        // Each costs two signature checks, so only what was asked for is looked at.
        let wasAsked = peers[peer]?.comparison.askedAt != nil
        guard wasAsked || cards.count == 1 && !context.isDeleted else { return }
        let circle = wasAsked ? circle(with: peer, context) : Circle()
        var news: [ProfileCard] = []
        // Each member shows one's own card to one's devices when another of them has signed it.
        let own = context.isNewDevice ? nil : context.contacts[context.me].card?.encoded
        for bytes in cards where bytes != own {
            let card: ProfileCard
            do throws(MalformedBytes) {
                card = try ProfileCard(verifying: bytes)
            } catch {
                requests.append(.effect(.note(.cardRefused(error))))
                guard error.isOffense else { continue }
                // Whoever passes a card on has verified it.
                return requests.append(.replicate(.offended(peer, reason: "malformed card: \(error)")))
            }
            let isOwn = card.user == context.me
            guard isOwn || circle.counts(CardVersion(of: card)),
                isOwn && context.isNewDevice || context.contacts[card.user].card.map(card.supersedes) ?? true
            else { continue }
            news.append(card)
        }
        guard !news.isEmpty else { return }
        peers[peer]?.comparison.noteNews()
        if let user = context.links[peer]?.identity?.device.user {
            turns.bring(user)
            if current?.user == user { current = nil }
        }
        requests.append(.learn(news))
    }

    private mutating func send(
        _ message: CardMessage, to peer: PeerHandle, urgency: SecureChannel.Urgency = .live
    ) {
        requests.append(.effect(.send(peer, PeerMessage.cards(message).encoded, urgency)))
    }

    private mutating func wake(at moment: Instant?) {
        guard let moment else { return }
        nextDeadline = min(nextDeadline ?? moment, moment)
        requests.append(.effect(.wake(at: moment)))
    }
}
