import OperationLog
import Replication
import Time

/// Makes what the user keeps for themselves equal on all of their devices: anti-entropy over (what it is about, digest of its state).
///
/// What changes is sent at once. Besides, two devices say a digest of everything when they meet and after changes. Where digests stay
/// different, one side sends a digest for each of 256 buckets. The other answers with what it holds in those that differ, and gets what
/// is newer. States merge, so whatever comes twice, late or in another order changes nothing.
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
        case heard(PrivateWord, from: PeerHandle)
        /// What a device sent could be taken, or not all of it; and of what it lacks something.
        case taken(from: PeerHandle, isNews: Bool, lacking: [PrivateSubject])
    }

    /// What is known of another device on its connection.
    private struct Peer {
        /// What it said last that it holds.
        var said: PrivateDigest?
        /// What it was told last.
        var told: PrivateDigest?
        /// When it is told what is held here, unless it knows.
        var tellAt: Instant?
        /// When it was told last.
        var toldAt: Instant?
        /// When it is asked, unless both hold the same by then.
        var compareAt: Instant?
        /// How many questions in a row brought nothing: a device may lie, or its clock be wrong.
        var failures = 0

        /// When something is to be done.
        var next: Instant? { [tellAt, compareAt].compactMap { $0 }.min() }
    }

    /// How long what is held must have been settling before another device is told of it.
    static let tellDelay: Duration = .milliseconds(500)
    /// How often a device is told at most.
    static let tellInterval: Duration = .seconds(2)
    /// How long a difference may be only something on its way.
    static let grace: Duration = .seconds(3)
    /// How long a device is left alone at most whose answers bring nothing.
    static let maximumRest: Duration = .seconds(600)
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
            peers[peer] = Peer()
            tell(peer, &context)
        case .lost(let peer): peers[peer] = nil
        case .changed(let subjects, let source): spread(subjects, except: source, context)
        case .heard(let word, let peer) where peers[peer] != nil: hear(word, from: peer, &context)
        case .heard: break
        case .taken(let peer, let isNews, let lacking):
            if isNews { peers[peer]?.failures = 0 }
            send(lacking, to: peer, context)
            // A digest costs a look at all of a bucket, and a device in other hands may say all in one. What is news is told soon: then the
            // comparison is given up if nothing differs any more.
            if peers[peer]?.compareAt == nil { plan(peer, after: Self.grace, &context) }
        }
        defer { requests = [] }
        return requests
    }

    // MARK: - Telling

    /// Sends what changed to all other devices, and owes them a digest.
    private mutating func spread(_ subjects: [PrivateSubject], except source: PeerHandle?, _ context: NodeContext) {
        for peer in peers.keys.sorted() {
            if peer != source { send(subjects, to: peer, context) }
            guard let state = peers[peer], state.tellAt == nil else { continue }
            let earliest = state.toldAt.map { $0 + Self.tellInterval } ?? context.now
            wake(peer, at: max(context.now + Self.tellDelay, earliest), \.tellAt)
        }
    }

    /// Does what is due.
    private mutating func flush(in context: inout NodeContext) {
        for peer in peers.keys.sorted() {
            if let moment = peers[peer]?.tellAt, moment <= context.now { tell(peer, &context) }
            if let moment = peers[peer]?.compareAt, moment <= context.now { compare(with: peer, &context) }
        }
    }

    private mutating func tell(_ peer: PeerHandle, _ context: inout NodeContext) {
        peers[peer]?.tellAt = nil
        let digest = context.privateState.digest()
        if peers[peer]?.told != digest {
            peers[peer]?.told = digest
            peers[peer]?.toldAt = context.now
            send(.digest(digest), to: peer)
        }
        plan(peer, after: Self.grace, &context)
    }

    // MARK: - Comparing

    private mutating func hear(_ word: PrivateWord, from peer: PeerHandle, _ context: inout NodeContext) {
        switch word {
        case .digest(let digest):
            let isFirst = peers[peer]?.said == nil
            peers[peer]?.said = digest
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
        guard let state = peers[peer], let said = state.said else { return }
        if said == context.privateState.digest() {
            peers[peer]?.compareAt = nil
            peers[peer]?.failures = 0
        } else if state.compareAt == nil {
            wake(peer, at: context.now + max(delay, Self.rest(after: state.failures)), \.compareAt)
        }
    }

    /// How long a device is left alone after questions that brought nothing.
    private static func rest(after failures: Int) -> Duration {
        failures == 0 ? .zero : min(maximumRest, grace * (1 << min(failures - 1, 8)))
    }

    private mutating func compare(with peer: PeerHandle, _ context: inout NodeContext) {
        peers[peer]?.compareAt = nil
        guard let said = peers[peer]?.said, said != context.privateState.digest() else { return }
        peers[peer]?.failures += 1
        send(.summary(context.privateState.summary()), to: peer)
        plan(peer, after: Self.grace, &context)
    }

    /// Answers what a device holds with what is held here of the buckets that differ: all of those in which it holds nothing, and the
    /// names of the others.
    private mutating func answer(_ summary: PrivateSummary, to peer: PeerHandle, _ context: inout NodeContext) {
        // Both need not ask.
        peers[peer]?.said = summary.digest
        peers[peer]?.compareAt = nil
        plan(peer, after: Self.rest(after: max(1, peers[peer]?.failures ?? 0)) + Self.grace, &context)
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

    /// Sends what a device lacks of what it named, and asks for what is lacking here: of a piece in which nothing is written here it sends
    /// back what it has.
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

    private mutating func send(_ word: PrivateWord, to peer: PeerHandle) {
        requests.append(.effect(.send(peer, PeerMessage.privateState(word).encoded, .live)))
    }

    private mutating func wake(_ peer: PeerHandle, at moment: Instant, _ deadline: WritableKeyPath<Peer, Instant?>) {
        peers[peer]?[keyPath: deadline] = moment
        requests.append(.effect(.wake(at: moment)))
    }
}
