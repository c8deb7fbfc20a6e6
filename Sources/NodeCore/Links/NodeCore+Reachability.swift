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
        user == me || replicas.values.contains { $0.group.isMember(user) && $0.group.isMember(me) }
    }

    // MARK: - Asking

    /// Asks a peer how it reaches this node; ``ClientEvent/reachability(_:_:)`` tells what it answers. It may never answer.
    ///
    /// - Returns: the number of the question; nil where the connection is over, or too many questions are open.
    public mutating func askReachability(of peer: PeerHandle, at moment: Moment) -> UInt64? {
        self.moment = moment
        guard links[peer]?.identity != nil, let question = reachabilityExchange.ask(peer) else { return nil }
        effects.append(.send(peer, PeerMessage.reachabilityWanted(question).encoded, .live))
        return question
    }

    /// Notes that nobody waits for the answer to a question any more.
    public mutating func giveUp(question: UInt64) { reachabilityExchange.giveUp(question) }

    /// Takes in how a peer says that it reaches this node. What nobody asked for is passed over.
    mutating func learn(_ report: ReachabilityReport, of question: UInt64, from peer: PeerHandle) {
        guard reachabilityExchange.close(question, by: peer) else { return }
        show(.reachability(question, report))
    }

    // MARK: - Answering

    /// Tells a peer how this node reaches it, once it was dialed back. Others than those who share a conversation get no answer.
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

    /// Whether a person is told how this node reaches them: they are in a conversation in which this user takes part, or are this user.
    ///
    /// That a stranger brought this user into a conversation is no reason: a key costs nothing.
    private mutating func tellsReachability(_ user: UserID) -> Bool {
        guard user != me else { return true }
        guard !context.isBlocked(user), sharesConversation(with: user) else { return false }
        context.recordParticipation()
        return context.familiarity.joined.contains { conversation in
            guard let group = replicas[conversation]?.group else { return false }
            return group.isMember(user) && group.isMember(me)
        }
    }

    private mutating func answer(_ question: ReachabilityExchange.Question, _ outcome: ReachabilityReport.DialBack) {
        guard let link = links[question.peer], let device = link.identity?.device.id else { return }
        let known = discovery.meeting(with: device, at: now)
        let report = ReachabilityReport(
            program: reachabilityExchange.program, clock: moment.wall,
            address: link.endpoint.with(port: link.listeningPort).description, dialBack: outcome,
            sendsBeacons: known.sendsBeacons, ownBeaconAge: known.ownBeaconAge,
            beacon: known.beacon.map { .init(address: $0.address, age: $0.age) }, failedDials: known.failedDials)
        effects.append(.send(question.peer, PeerMessage.reachability(question.number, report).encoded, .live))
    }

    /// Where a peer is dialed back: on the host that it is connected from, at the port of its hello; nil where it listens on none.
    private static func dialBackPlace(of link: PeerLink) -> Endpoint? {
        link.listeningPort == 0 ? nil : link.endpoint.with(port: link.listeningPort)
    }
}
