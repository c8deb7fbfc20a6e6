import OperationLog
import Replication
import Time

/// Makes what the user keeps for themselves equal on all of their devices: anti-entropy over (what it is about, digest
/// of its state).
///
/// What changes is sent at once. Besides, two devices say a digest of everything when they meet and after changes.
/// Where digests stay different, one side sends a digest for each of 256 buckets. The other answers with what it holds
/// in those that differ, and gets what is newer. States merge, so whatever comes twice, late or in another order
/// changes nothing.
struct PrivateExchange {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// Another device of the user is connected.
        case met(PeerHandle)
        /// A connection is over.
        case lost(PeerHandle)
        /// Something is held otherwise than before, because of what a device sent, or of what the user did here.
        case changed([PrivateSubject], by: PeerHandle?)
        /// Another device says something.
        case heard(PrivateMessage, from: PeerHandle)
        /// What a device sent could be taken, or not all of it; and of what it lacks something.
        case taken(from: PeerHandle, isNews: Bool, lacking: [PrivateSubject])
    }

    /// What is known of another device on its connection: it may lie, or its clock be wrong.
    private typealias Peer = Comparison<PrivateDigest, PrivateDigest>

    /// How often a device is told at most.
    static let tellInterval: Duration = .seconds(2)
    /// How long a difference may be only something on its way.
    static let grace: Duration = .seconds(3)
    /// Little changes, and a device whose states are not taken stays so.
    private static let pace = Peer.Pace(tellDelay: .milliseconds(500), grace: grace, longestRest: .seconds(600))
    /// Bytes of states in an answer, at most: the next comparison brings more.
    static let answerBytes = 1 << 20
    /// Bytes of states in one message.
    private static let messageBytes = 128 * 1024

    private var peers: [PeerHandle: Peer] = [:]
    private var requests: [MachineRequest] = []

    /// When there is something to do.
    var nextDeadline: Instant? { peers.values.lazy.compactMap(\.next).min() }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: inout NodeContext) -> [MachineRequest] {
        switch event {
        case .tick: flush(in: &context)
        case .met(let peer):
            peers[peer] = Peer(at: Self.pace)
            tell(peer, &context)
        case .lost(let peer): peers[peer] = nil
        case .changed(let subjects, let source): spread(subjects, except: source, context)
        case .heard(let word, let peer) where peers[peer] != nil: hear(word, from: peer, &context)
        case .heard: break
        case .taken(let peer, let isNews, let lacking):
            if isNews { peers[peer]?.noteNews() }
            send(lacking, to: peer, context)
            // A digest costs a look at all of a bucket, and a device in other hands may say all in one. What is news is
            // told soon: then the comparison is given up if nothing differs any more.
            if peers[peer]?.askAt == nil { plan(peer, after: Self.grace, &context) }
        }
        defer { requests = [] }
        return requests
    }

    // MARK: - Telling

    /// Sends what changed to all other devices, and owes them a digest.
    private mutating func spread(_ subjects: [PrivateSubject], except source: PeerHandle?, _ context: NodeContext) {
        for peer in peers.keys.sorted() {
            if peer != source { send(subjects, to: peer, context) }
            let earliest = peers[peer]?.told.map { $0.at + Self.tellInterval }
            wake(at: peers[peer]?.owe(at: context.now, notBefore: earliest))
        }
    }

    /// Does what is due.
    private mutating func flush(in context: inout NodeContext) {
        for peer in peers.keys.sorted() {
            if let moment = peers[peer]?.tellAt, moment <= context.now { tell(peer, &context) }
            if let moment = peers[peer]?.askAt, moment <= context.now { compare(with: peer, &context) }
        }
    }

    private mutating func tell(_ peer: PeerHandle, _ context: inout NodeContext) {
        let digest = context.privateState.digest()
        if peers[peer]?.tell(digest, at: context.now) == true { send(.digest(digest), to: peer) }
        plan(peer, after: Self.grace, &context)
    }

    // MARK: - Comparing

    private mutating func hear(_ word: PrivateMessage, from peer: PeerHandle, _ context: inout NodeContext) {
        switch word {
        case .digest(let digest):
            let isFirst = peers[peer]?.said == nil
            peers[peer]?.hear(digest)
            // Where they have just met, the one who dialed asks at once.
            let asksAtOnce = isFirst && context.links[peer]?.isOutgoing == true
            plan(peer, after: asksAtOnce ? .zero : Self.grace, &context)
        case .summary(let summary): answer(summary, to: peer, &context)
        case .versions(let versions): answer(versions, to: peer, context)
        case .states(let entries): requests.append(.takePrivate(entries, from: peer))
        }
    }

    /// Plans to ask a device that holds something else, or gives it up where both hold the same.
    private mutating func plan(_ peer: PeerHandle, after delay: Duration, _ context: inout NodeContext) {
        guard let said = peers[peer]?.said else { return }
        if said == context.privateState.digest() {
            peers[peer]?.noteEqual()
        } else {
            wake(at: peers[peer]?.askLater(after: delay, at: context.now))
        }
    }

    private mutating func compare(with peer: PeerHandle, _ context: inout NodeContext) {
        guard let said = peers[peer]?.said, said != context.privateState.digest() else {
            peers[peer]?.stopAsking()
            return
        }
        peers[peer]?.noteAsked(at: context.now)
        send(.summary(context.privateState.summary()), to: peer)
        plan(peer, after: Self.grace, &context)
    }

    /// Answers what a device holds with what is held here of the buckets that differ: all of those in which it holds
    /// nothing, and the names of the others.
    private mutating func answer(_ summary: PrivateSummary, to peer: PeerHandle, _ context: inout NodeContext) {
        // Both need not ask.
        peers[peer]?.hear(summary.digest)
        peers[peer]?.stopAsking()
        plan(peer, after: max(Self.grace, peers[peer]?.rest ?? .zero) + Self.grace, &context)
        let mine = context.privateState.summary()
        let index = context.privateState.index
        let differing = mine.difference(from: summary)
        let held = { (bucket: Int) in (bucket, index.versions(in: bucket)) }
        for part in PrivateVersions.parts(of: differing.filter { summary[$0] != nil }.map(held)) {
            send(.versions(part), to: peer)
        }
        send(
            differing.filter { summary[$0] == nil }.flatMap { index.versions(in: $0).map(\.subject) }, to: peer,
            context)
    }

    /// Sends what a device lacks of what it named, and asks for what is lacking here: of a piece in which nothing is
    /// written here it sends back what it has.
    private mutating func answer(_ named: PrivateVersions, to peer: PeerHandle, _ context: NodeContext) {
        let theirs = Dictionary(named.versions.map { ($0.subject, $0.digest) }) { first, _ in first }
        let index = context.privateState.index
        let mine = named.buckets.flatMap { index.versions(in: $0) }
        let differing = mine.filter { theirs[$0.subject] != $0.digest }.map(\.subject)
        let unknown = theirs.keys.filter { subject in
            index.digest(of: subject) == nil && context.keepsPrivateState(of: subject)
        }
        send((differing + unknown).sorted(), to: peer, context)
    }

    // MARK: - Sending

    private mutating func send(_ subjects: [PrivateSubject], to peer: PeerHandle, _ context: NodeContext) {
        var (entries, bytes, room): ([PrivateEntry], Int, Int) = ([], 0, Self.answerBytes)
        func isFull(with state: [UInt8]) -> Bool {
            entries.count == PeerMessage.maximumPrivateStates
                || !entries.isEmpty && bytes + state.count > Self.messageBytes
        }
        for subject in subjects.sorted() {
            guard let state = context.privateState.state(of: subject) else { continue }
            room -= state.count
            guard room >= 0 else { break }
            if isFull(with: state) {
                send(.states(entries), to: peer)
                (entries, bytes) = ([], 0)
            }
            entries.append(PrivateEntry(of: subject, state: state))
            bytes += state.count
        }
        if !entries.isEmpty { send(.states(entries), to: peer) }
    }

    private mutating func send(_ word: PrivateMessage, to peer: PeerHandle) {
        requests.append(.effect(.send(peer, PeerMessage.privateState(word).encoded, .live)))
    }

    private mutating func wake(at moment: Instant?) {
        if let moment { requests.append(.effect(.wake(at: moment))) }
    }
}
