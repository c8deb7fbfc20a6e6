import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Asks for bodies that are for this device and did not come with their headers: whoever relayed those may not have had
/// them.
///
/// Everybody connected who may have them is asked in one **pass**, in turn by person (``PersonTurns``). Who answers
/// that they have nothing makes way at once; who does not answer in time is waited for no longer. After a pass without
/// result the search rests, longer each time.
///
/// Whoever writes what they could not have written without a body that is wanted here is asked at once, besides those
/// whose turn it is.
struct BodyFetcher {
    /// What happens.
    enum Event {
        /// Time passed.
        case tick
        /// Something is wanted in a conversation, or wanted no more.
        case changed(ConversationID)
        /// A device answered with bodies, some of which were wanted.
        case answered([OperationID], wanted: [AdmittedOperation], by: DeviceID?, in: ConversationID)
    }

    /// What a device was asked and has not answered.
    private struct Question {
        let peer: PeerHandle
        let user: UserID
        let bodies: [OperationID]
        let since: Instant
        /// Whether it was asked although it was not this device's turn: nobody waits for it.
        var isBesides = false
        /// Whether others are asked, because no answer came in time.
        var isLate = false
    }

    /// A search for the bodies of one conversation.
    private struct Search {
        /// What was asked of devices last, ascending.
        var questions: [DeviceID: Question] = [:]
        /// How much was ever wanted when a device was asked for what it claimed.
        var heard: [DeviceID: Int] = [:]
        /// The devices that were asked for a body and did not have it.
        var denials: [OperationID: Set<DeviceID>] = [:]
        /// How far each device was asked, on the connection that it has.
        var walks: [PeerHandle: WantedBodies.Walk] = [:]
        /// How many devices of each person were asked in this pass.
        var turnsInPass: [UserID: Int] = [:]
        /// Who brought all of what a full question asked for, or much: they are asked for the rest.
        var bringer: DeviceID?
        /// How many answers in a row were much, and of one device.
        var row: (device: DeviceID, length: Int)?
        /// How many questions in a row were not answered in time.
        var misses = 0
        /// How many passes in a row brought nothing.
        var emptyPasses = 0
        /// How many bodies were looked for with somebody in this pass, and not in an answer that brought some.
        var vainCount = 0
        /// Since when there is this pass.
        var passBegan: Instant
        /// When the next pass begins, where one is over.
        var restsUntil: Instant?
        /// How much was ever wanted when this was last looked at.
        var total = 0
        /// Not before this moment, unless more is wanted.
        var next: Instant

        /// How long to rest after a pass: where many were looked for in vain, longer, or that would be all a node does.
        var rest: Duration {
            let vain = min(BodyFetcher.maximumRest, .milliseconds(vainCount))
            return max(vain, BodyFetcher.backoff.rest(after: max(1, emptyPasses)))
        }

        /// When the next pass begins in any case: nobody keeps this one open by answers.
        var endOfPass: Instant { restsUntil ?? passBegan + BodyFetcher.backoff.longest }

        /// Learns that more is wanted than before. It is asked for as all is, in its turn; the pass goes on.
        mutating func want(_ total: Int, at now: Instant) {
            (self.total, emptyPasses) = (total, 0)
            restsUntil = restsUntil.map { min($0, now + rest) }
        }

        /// Begins a pass with who is connected.
        mutating func beginPass(over wanted: WantedBodies, with connected: Set<PeerHandle>, at now: Instant) {
            (turnsInPass, vainCount, passBegan, restsUntil) = ([:], 0, now, nil)
            for (peer, var walk) in walks {
                wanted.beginPass(along: &walk)
                walks[peer] = connected.contains(peer) ? walk : nil
            }
        }

        /// Notes what a device did not have of what it was asked for. An answer ends where there was no room for more.
        mutating func take(_ answered: [OperationID], to question: Question, by device: DeviceID) {
            let lacking = Set(question.bodies).subtracting(answered)
            for id in lacking where answered.last.map({ id < $0 }) ?? true { denials[id, default: []].insert(device) }
            for id in answered { denials[id] = nil }
        }
    }

    /// How long a question may go unanswered before its device is asked again.
    private static let timeout: Duration = .seconds(2)
    /// How long to wait at most before asking again when nobody has a body.
    private static let backoff = Backoff(from: .seconds(1), to: .seconds(10))
    /// How long to rest at most after a pass in which much was looked for in vain.
    private static let maximumRest: Duration = .seconds(30)
    /// How often somebody is asked at most for the rest, before others have their turns.
    private static let maximumRow = 4
    /// How many bodies are looked for at most, before something else is done.
    private static let maximumLooks = 4 * PeerMessage.maximumBodies
    /// Bytes in an answer after which the same peer is asked again; a full answer has twice as many.
    private static let manyBytes = Limits.targetBatchBytes / 4

    private var searches: [ConversationID: Search] = [:]
    /// Whose turn it is to be asked.
    private var turns = PersonTurns()
    private var requests: [MachineRequest] = []

    /// When there is something to do.
    var nextDeadline: Instant? { searches.values.lazy.map(\.next).min() }

    /// Takes in what happened, and returns what is to be done about it, in order.
    mutating func handle(_ event: Event, in context: inout NodeContext) -> [MachineRequest] {
        switch event {
        case .tick:
            let wanting = context.replicas.keys.filter { context.replicas[$0]?.wanted.isEmpty == false }
            for id in Set(wanting).union(searches.keys).sorted() { ask(in: id, &context) }
        case .changed(let conversation): ask(in: conversation, &context)
        case .answered(let bodies, let wanted, let device, let conversation):
            take(bodies, wanted: wanted, from: device, in: conversation, context)
            // Where something came, it is taken off what is wanted first.
            if wanted.isEmpty { ask(in: conversation, &context) }
        }
        defer { requests = [] }
        return requests
    }

    /// The devices that were asked for a body and did not have it.
    func denials(of body: OperationID, in conversation: ConversationID) -> Set<DeviceID> {
        searches[conversation]?.denials[body] ?? []
    }

    /// Asks connected members for what is wanted and may be here with them, as far as it is their turn.
    private mutating func ask(in conversation: ConversationID, _ context: inout NodeContext) {
        guard let wanted = context.replicas[conversation]?.wanted, !wanted.isEmpty else {
            searches[conversation] = nil
            return
        }
        let now = context.now
        var search = searches[conversation] ?? Search(passBegan: now, next: now)
        let isMore = wanted.total > search.total
        defer { searches[conversation] = search }
        guard isMore || search.next <= now else { return }
        if isMore { search.want(wanted.total, at: now) }
        expireQuestions(of: &search, at: now)
        let connected = connected(of: conversation, context)
        if search.endOfPass <= now {
            search.beginPass(over: wanted, with: Set(connected.map(\.handle)), at: now)
        }
        askClaimants(among: connected, for: wanted, in: conversation, &search, at: now)
        let width = min(PersonTurns.maximumWidth, 1 + search.misses)
        let waiting = search.questions.values.filter { !$0.isLate && !$0.isBesides }
        // Nobody waits for who kept silent before, but they are not all asked at once.
        var silent = waiting.count { turns.isVain($0.user) }
        var (open, isMoreToAsk) = (waiting.count - silent, false)
        var looks = Looks()
        for peer in inOrder(connected, search, wanted) {
            guard open < width else { break }
            guard search.questions[peer.device.id] == nil else { continue }
            let isVain = turns.isVain(peer.device.user)
            guard !isVain || silent < PersonTurns.maximumWidth, looks.count < Self.maximumLooks else {
                isMoreToAsk = true
                break
            }
            let asked = bodies(for: peer, of: wanted, in: conversation, &search, &looks, &context)
            guard !asked.isEmpty else { continue }
            requests.append(.replicate(.saying(.bodies(.wanted(asked)), of: conversation, to: [peer.handle])))
            search.questions[peer.device.id] = Question(
                peer: peer.handle, user: peer.device.user, bodies: asked, since: now)
            search.turnsInPass[peer.device.user, default: 0] += 1
            turns.begin(peer.device.user)
            if isVain { silent += 1 } else { open += 1 }
        }
        search.bringer = nil
        plan(&search, of: wanted, isWaiting: open > 0 || isMoreToAsk || looks.count >= Self.maximumLooks, at: now)
    }

    /// Asks those who claimed something of what is wanted, once and for that alone: they must have it, or lie, so
    /// nobody waits for them.
    private mutating func askClaimants(
        among connected: [Connected], for wanted: WantedBodies, in conversation: ConversationID,
        _ search: inout Search, at now: Instant
    ) {
        for peer in connected where search.questions[peer.device.id] == nil {
            let claims = wanted.claims(of: peer.device.id, after: search.heard[peer.device.id] ?? 0)
            guard !claims.isEmpty else { continue }
            requests.append(.replicate(.saying(.bodies(.wanted(claims)), of: conversation, to: [peer.handle])))
            search.questions[peer.device.id] = Question(
                peer: peer.handle, user: peer.device.user, bodies: claims, since: now, isBesides: true)
            search.heard[peer.device.id] = wanted.total
            search.vainCount += claims.count
        }
    }

    /// What was looked up at one time of who may have which body.
    private struct Looks {
        var holders: [OperationID: Holders] = [:]
        var count = 0
    }

    /// The bodies that a device is asked for next, ascending: of the next that it was not asked for in this pass those
    /// it may have.
    private func bodies(
        for peer: Connected, of wanted: WantedBodies, in conversation: ConversationID, _ search: inout Search,
        _ looks: inout Looks, _ context: inout NodeContext
    ) -> [OperationID] {
        let isOwn = context.isOwn(peer.device)
        var walk = search.walks[peer.handle] ?? wanted.walk()
        defer { search.walks[peer.handle] = walk }
        while looks.count < Self.maximumLooks {
            let next = wanted.next(along: &walk)
            guard !next.isEmpty else { return [] }
            looks.count += next.count
            search.vainCount += next.count
            let asked = next.filter { id in
                let holders = looks.holders[id] ?? Self.holders(of: id, in: conversation, &context)
                looks.holders[id] = holders
                return holders.include(peer.device.id, isOwn: isOwn)
            }
            wanted.note(asked: asked, along: &walk)
            if !asked.isEmpty { return asked.sorted() }
        }
        return []
    }

    /// Notes when there is something to do next: when the next device is asked as well, or the next pass begins.
    private func plan(_ search: inout Search, of wanted: WantedBodies, isWaiting: Bool, at now: Instant) {
        if isWaiting {
            search.next = min(search.endOfPass, now + PersonTurns.answerTimeout)
            return
        }
        if search.restsUntil == nil {
            // Where there is more than one pass asks for, this was not all.
            let isCut = search.walks.values.contains(where: wanted.isCut)
            if !isCut { search.emptyPasses = min(search.emptyPasses + 1, 10) }
            search.restsUntil = now + search.rest
        }
        // Somebody may come meanwhile.
        search.next = min(search.endOfPass, now + Self.timeout)
        if !search.questions.isEmpty { search.next = min(search.next, now + PersonTurns.answerTimeout) }
    }

    /// Waits no longer for who does not answer.
    private mutating func expireQuestions(of search: inout Search, at now: Instant) {
        for (device, question) in search.questions {
            if !question.isLate, now - question.since >= PersonTurns.answerTimeout {
                search.questions[device]?.isLate = true
                search.misses += 1
                turns.miss(question.user)
            }
            if now - question.since >= Self.timeout { search.questions[device] = nil }
        }
    }

    /// The connected devices of a conversation's members.
    private func connected(of conversation: ConversationID, _ context: NodeContext) -> [Connected] {
        context.links.sorted { $0.key < $1.key }.compactMap { handle, link -> Connected? in
            guard let device = link.identity?.device,
                context.replicas[conversation]?.group.isMember(device.user) == true
            else { return nil }
            return Connected(handle: handle, device: device)
        }
    }

    /// Connected devices in the order in which they are asked: first who brought much, if it did so just now.
    private func inOrder(_ connected: [Connected], _ search: Search, _ wanted: WantedBodies) -> [Connected] {
        // Of one person first the device that must have what is wanted, then those that were not asked in this pass.
        let ordered = connected.enumerated().sorted { one, other in
            let rank = { (peer: Connected) in
                (search.walks[peer.handle]?.isBegun == true ? 1 : 0, wanted.contains(heldBy: peer.device.id) ? 0 : 1)
            }
            let (mine, theirs) = (rank(one.element), rank(other.element))
            return (mine.0, mine.1, one.offset) < (theirs.0, theirs.1, other.offset)
        }.map(\.element)
        var rounds = search.turnsInPass
        let placed = ordered.enumerated().map { offset, peer in
            defer { rounds[peer.device.user, default: 0] += 1 }
            let place = turns.place(
                of: peer.device.user, hasShown: wanted.contains(heldBy: peer.device.id),
                turnsInRound: rounds[peer.device.user, default: 0])
            return (isBringer: peer.device.id == search.bringer, place: place, offset: offset, peer: peer)
        }
        return placed.sorted { one, other in
            (one.isBringer ? 0 : 1, one.place, one.offset) < (other.isBringer ? 0 : 1, other.place, other.offset)
        }.map(\.peer)
    }

    /// A connection to a device.
    private struct Connected {
        let handle: PeerHandle
        let device: Device
    }

    /// Who may have a body.
    private enum Holders {
        case everybody, nobody
        /// What is closed is with its readers and the other devices of this user alone.
        case readers(View)

        func include(_ device: DeviceID, isOwn: Bool) -> Bool {
            switch self {
            case .everybody: true
            case .nobody: false
            case .readers(let view): isOwn || view.contains(device)
            }
        }
    }

    /// Who may have a body.
    private static func holders(
        of body: OperationID, in conversation: ConversationID, _ context: inout NodeContext
    ) -> Holders {
        guard let header = try? context.storage.operation(body, of: conversation)?.header else { return .nobody }
        guard header.type.isClosed else { return .everybody }
        // First its key, so that it is read as soon as it comes.
        if let epoch = header.epoch, context.replicas[conversation]?.epochs.elsewhere.contains(epoch) == true {
            return .nobody
        }
        // In place: a copy of the replica would cost more than the view.
        let view = context.replicas[conversation]?.view(at: header.membershipHeads)
        return view.map(Holders.readers) ?? .nobody
    }

    /// Takes in the answer of a device that was asked; what others send tells nothing of what to ask next.
    private mutating func take(
        _ answered: [OperationID], wanted: [AdmittedOperation], from device: DeviceID?,
        in conversation: ConversationID, _ context: NodeContext
    ) {
        guard let device, var search = searches[conversation],
            let question = search.questions.removeValue(forKey: device)
        else { return }
        search.take(answered, to: question, by: device)
        search.next = context.now
        let brought = wanted.map(\.operation.id)
        if let lacking = context.replicas[conversation]?.wanted, let last = answered.last,
            var walk = search.walks[question.peer],
            // What others brought meanwhile counts, too. What is not what its author signed does not, or the same would
            // be asked again and again.
            answered.contains(where: { question.bodies.contains($0) && !lacking.contains($0) }) || !brought.isEmpty
        {
            lacking.note(brought: brought, unanswered: question.bodies.filter { $0 > last }, along: &walk)
            search.walks[question.peer] = walk
        }
        if !wanted.isEmpty {
            search.vainCount = max(0, search.vainCount - question.bodies.count)
            turns.bring(question.user)
            (search.misses, search.emptyPasses) = (0, 0)
            // Whoever brought so much is asked for the rest: in turn over everybody, a few who hold much would be slow.
            let bytes = wanted.reduce(0) { $0 + $1.operation.header.bodyLength }
            let isAll = question.bodies.count == PeerMessage.maximumBodies && wanted.count == question.bodies.count
            let length = search.row.map { $0.device == device ? $0.length : 0 } ?? 0
            let isKept = (bytes >= Self.manyBytes || isAll) && length < Self.maximumRow
            search.bringer = isKept ? device : nil
            search.row = isKept ? (device, length + 1) : nil
        }
        searches[conversation] = search
    }
}
