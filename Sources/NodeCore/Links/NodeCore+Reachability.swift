import Conversations
import OperationLog
import Replication
import Storage
import Time

/// How this node and its peers reach one another, as each tells the other.
extension NodeCore {
    /// Whether this user and a person are members of one conversation, as far as is known here.
    ///
    /// - Complexity: O(conversations).
    public func sharesConversation(with user: UserID) -> Bool {
        user == me || replicas.values.contains { hasBoth(user, $0) }
    }

    /// Whether this user and a person are members of a conversation.
    private func hasBoth(_ user: UserID, _ replica: Replica) -> Bool {
        replica.group.isMember(user) && replica.group.isMember(me)
    }

    // MARK: - Asking

    /// Asks a peer how it reaches this node; ``ClientEvent/reachability(_:_:)`` tells what it answers, or that it went.
    /// A peer that stays may never answer.
    ///
    /// - Returns: the number of the question; nil where the connection is over, or too many questions are open.
    public mutating func askReachability(of peer: PeerHandle, at moment: Moment) -> UInt64? {
        self.moment = moment
        guard links[peer]?.identity != nil, let question = reachabilityExchange.ask(peer) else { return nil }
        effects.append(.send(peer, PeerMessage.presence(.reachabilityWanted(question)).encoded, .live))
        return question
    }

    /// Notes that nobody waits for the answer to a question any more.
    public mutating func giveUp(question: UInt64) { reachabilityExchange.giveUp(question) }

    /// Takes in how a peer says that it reaches this node. What nobody asked for is passed over.
    mutating func learn(_ report: ReachabilityReport, of question: UInt64, from peer: PeerHandle) {
        guard reachabilityExchange.close(question, by: peer) else { return }
        show(.reachability(question, report))
    }

    /// Ends the open questions to a peer whose connection is over.
    mutating func endReachabilityQuestions(to peer: PeerHandle) {
        for question in reachabilityExchange.lose(peer) { show(.reachability(question, nil)) }
    }

    // MARK: - Answering

    /// Tells a peer how this node reaches it, once it was dialed back. Others than those who share a conversation get
    /// no answer.
    mutating func describeReachability(to peer: PeerHandle, question: UInt64) {
        guard let link = links[peer], let device = link.identity?.device, tellsReachability(device.user) else { return }
        let question = ReachabilityExchange.Question(peer: peer, number: question)
        guard let place = Self.dialBackPlace(of: link) else { return answer(question, .notTried) }
        switch reachabilityExchange.decide(question, by: device.id, at: place, now: now) {
        case .dial: effects.append(.dialBack(device.id, at: place))
        case .wait: break
        case .answer(let outcome): answer(question, outcome)
        }
    }

    /// Takes in what came of dialing a device back.
    mutating func dialedBack(_ device: DeviceID, failure: String?) {
        let (questions, outcome) = reachabilityExchange.end(device, failure: failure)
        for question in questions { answer(question, outcome) }
    }

    /// Whether a person is told how this node reaches them: they are in a conversation in which this user takes part,
    /// or are this user.
    ///
    /// That a stranger brought this user into a conversation is no reason: a key costs nothing.
    private mutating func tellsReachability(_ user: UserID) -> Bool {
        guard user != me else { return true }
        guard !context.isBlocked(user) else { return false }
        // Only where both are: who asks is not to have this node look through the conversations of others.
        for replica in replicas.values where hasBoth(user, replica) {
            if context.takesPart(in: replica) { return true }
        }
        return false
    }

    private mutating func answer(_ question: ReachabilityExchange.Question, _ outcome: ReachabilityReport.DialBack) {
        guard let link = links[question.peer], let device = link.identity?.device.id else { return }
        let known = discovery.meeting(with: device, at: now)
        let report = ReachabilityReport(
            program: reachabilityExchange.program, clock: moment.wall,
            address: (Self.dialBackPlace(of: link) ?? link.endpoint.with(port: 0)).description, dialBack: outcome,
            sendsBeacons: known.sendsBeacons, ownBeaconAge: known.ownBeaconAge,
            beacon: known.beacon.map { .init(address: $0.address, age: $0.age) }, failedDials: known.failedDials)
        effects.append(
            .send(question.peer, PeerMessage.presence(.reachability(question.number, report)).encoded, .live))
    }

    /// Where a peer is dialed back: where this node dialed it before, or on the host that it is connected from, at the
    /// port of its hello. Nil where it listens on none.
    ///
    /// Where this node dialed may be a router that hands connections on from a port of its own. The port of the hello
    /// is none of that router.
    private static func dialBackPlace(of link: PeerLink) -> Endpoint? {
        guard !link.isOutgoing else { return link.endpoint }
        return link.listeningPort == 0 ? nil : link.endpoint.with(port: link.listeningPort)
    }
}
