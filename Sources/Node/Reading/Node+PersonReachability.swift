import Dispatch
import LocalAPIModel
import NodeCore
import OperationLog
import Replication
import Time

extension Node {
    /// How long a peer may take to answer: it has two seconds to dial back.
    private static let reachabilityTimeout = Duration.seconds(5)

    /// Asks the connected nodes of a person how they reach this one. Each dials this node back before it answers.
    ///
    /// Takes as long as the slowest of them, 5 s at most. Nobody is asked who shares no conversation with the user:
    /// they would not answer.
    ///
    /// - Parameter name: an id, a unique prefix of one, or a unique name; "me" for the other devices of the user.
    /// - Throws: `unknown_person`, `ambiguous_name`.
    public func askReachability(of name: String) async throws(NodeError) -> PersonReachabilityDescription {
        let user = try person(named: name)
        let isShared = core.sharesConversation(with: user)
        let peers = core.links.keys.sorted().filter { core.links[$0]?.identity?.device.user == user }
        // All are asked before the first has answered.
        let questions = peers.map { peer in Task { await self.askedNode(peer, isAsked: isShared) } }
        var nodes: [PersonReachabilityDescription.Node] = []
        for question in questions {
            if let node = await question.value { nodes.append(node) }
        }
        return PersonReachabilityDescription(
            user: user.description, name: contacts[user].name, sharesConversation: isShared, nodes: nodes)
    }

    /// Ends all open questions without an answer, so that a server can shut down.
    public func endReachabilityQuestions() {
        for question in reachabilityQuestions.keys { answer(question, nil) }
    }

    /// Ends an open question with the answer of a peer; nil if none came in time.
    func answer(_ question: UInt64, _ report: ReachabilityReport?) {
        core.giveUp(question: question)
        reachabilityQuestions.removeValue(forKey: question)?.resume(returning: report)
    }

    /// A connected node, with its answer; nil if it is not connected any more.
    private func askedNode(_ handle: PeerHandle, isAsked: Bool) async -> PersonReachabilityDescription.Node? {
        guard let peer = peer(handle) else { return nil }
        let report = isAsked ? await ask(handle) : nil
        return .init(device: peer.device, address: peer.address, answer: report.map(Self.describe))
    }

    private func ask(_ handle: PeerHandle) async -> ReachabilityReport? {
        await withCheckedContinuation { (continuation: CheckedContinuation<ReachabilityReport?, Never>) in
            guard !isStopped, let question = change({ $0.askReachability(of: handle, at: $1) }) else {
                return continuation.resume(returning: nil as ReachabilityReport?)
            }
            reachabilityQuestions[question] = continuation
            executor.queue.asyncAfter(deadline: .now() + (Self.reachabilityTimeout / .seconds(1))) { [weak self] in
                self?.assumeIsolated { $0.answer(question, nil) }
            }
        }
    }

    /// An answer that just came, by this node's clock.
    private static func describe(_ report: ReachabilityReport) -> PersonReachabilityDescription.Answer {
        let (isReached, code): (Bool?, String?) =
            switch report.dialBack {
            case .notTried: (nil, nil)
            case .accepted: (true, nil)
            case .failed(let code): (false, code)
            }
        return .init(
            version: report.program,
            clockSecondsAhead: Double(report.clock.milliseconds - Clock.now.milliseconds) / 1_000,
            address: report.address, reached: isReached, error: code, reason: code.map(words),
            discovery: report.sendsBeacons, ownBeaconSeconds: report.ownBeaconAge.map { $0 / .seconds(1) },
            beacon: report.beacon.map { .init(address: $0.address, seconds: $0.age / .seconds(1)) },
            failedDials: report.failedDials.map {
                .init(address: $0.address, error: $0.code, reason: words(for: $0.code))
            })
    }
}
