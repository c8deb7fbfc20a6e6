import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Asks for bodies that are for this device and did not come with their headers: whoever relayed those may not have had them.
///
/// Everybody connected who may have them is asked in one **pass**, in turn by person (``PersonTurns``). Who answers that they have nothing makes way at
/// once; who does not answer in time is waited for no longer. After a pass without result the search rests, longer each time.
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
        let user: UserID
        let bodies: [OperationID]
        let since: Instant
        /// Whether others are asked, because no answer came in time.
        var isLate = false
    }

    /// A search for the bodies of one conversation.
    private struct Search {
        /// What was asked of devices last, ascending.
        var questions: [DeviceID: Question] = [:]
        /// The devices that were asked for a body and did not have it.
        var denials: [OperationID: Set<DeviceID>] = [:]
        /// Up to which body each device was asked in this pass.
        var asked: [DeviceID: OperationID] = [:]
        /// How many devices of each person were asked in this pass.
        var turnsInPass: [UserID: Int] = [:]
        /// Who brought all of what they were asked for, or much: they are asked for the rest.
        var bringer: DeviceID?
        /// How many questions in a row were not answered in time.
        var misses = 0
        /// How many passes in a row brought nothing.
        var emptyPasses = 0
        /// When the next pass begins, where one is over.
        var restsUntil: Instant?
        /// How much was wanted when this was last looked at.
        var wantedCount = 0
        /// Not before this moment, unless more is wanted.
        var next: Instant

        /// Begins a pass.
        mutating func beginPass() { (asked, turnsInPass, restsUntil) = ([:], [:], nil) }

        /// Notes what a device did not have of what it was asked for. An answer ends where there was no room for more.
        mutating func take(_ answered: [OperationID], to question: Question, by device: DeviceID) {
            let lacking = Set(question.bodies).subtracting(answered).filter { id in
                answered.last.map { id < $0 } ?? true
            }
            for id in lacking { denials[id, default: []].insert(device) }
            for id in answered { denials[id] = nil }
            if let last = answered.last { asked[device] = last }
        }
    }

    /// How long a question may go unanswered before its device is asked again.
    private static let timeout: Duration = .seconds(2)
    /// How long to wait at most before asking again when nobody has a body.
    private static let maximumBackoff: Duration = .seconds(10)
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
            take(bodies, wanted: wanted, from: device, in: conversation, at: context.now)
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
        guard let replica = context.replicas[conversation], !replica.wanted.isEmpty else {
            searches[conversation] = nil
            return
        }
        let now = context.now
        var search = searches[conversation] ?? Search(next: now)
        let isMore = replica.wanted.count > search.wantedCount
        search.wantedCount = replica.wanted.count
        defer { searches[conversation] = search }
        guard isMore || search.next <= now else { return }
        // What is new is not to wait because nobody has what was wanted before.
        if isMore {
            search.beginPass()
            search.emptyPasses = 0
        }
        expireQuestions(of: &search, at: now)
        if let end = search.restsUntil, end <= now { search.beginPass() }
        let wanted = replica.wanted.sorted()
        var found: [OperationID: (holders: Holders, author: DeviceID?)] = [:]
        // Who wrote what is wanted has it.
        let authors = Set(
            wanted.prefix(PeerMessage.maximumBodies).compactMap { id in
                let holders = Self.holders(of: id, in: conversation, &context)
                found[id] = holders
                return holders.author
            })
        let width = min(PersonTurns.maximumWidth, 1 + search.misses)
        let waiting = search.questions.values.filter { !$0.isLate }
        // Nobody waits for who kept silent before, but they are not all asked at once.
        var silent = waiting.count { turns.isVain($0.user) }
        var (open, isMoreToAsk) = (waiting.count - silent, false)
        for peer in inOrder(of: conversation, search, authors: authors, context) {
            guard open < width else { break }
            guard search.questions[peer.device.id] == nil else { continue }
            let isVain = turns.isVain(peer.device.user)
            guard !isVain || silent < PersonTurns.maximumWidth else {
                isMoreToAsk = true
                break
            }
            let start =
                search.asked[peer.device.id].map { last in wanted.firstIndex { $0 > last } ?? wanted.count } ?? 0
            let candidates = wanted[start..<min(wanted.count, start + PeerMessage.maximumBodies)]
            guard let last = candidates.last else { continue }
            search.asked[peer.device.id] = last
            let asked = candidates.filter { id in
                let holders = found[id] ?? Self.holders(of: id, in: conversation, &context)
                found[id] = holders
                return holders.holders.include(peer.device.id, isOwn: context.isOwn(peer.device))
            }
            guard !asked.isEmpty else { continue }
            requests.append(.replicate(.bodiesWanted(peer.handle, conversation, Array(asked))))
            search.questions[peer.device.id] = Question(user: peer.device.user, bodies: Array(asked), since: now)
            search.turnsInPass[peer.device.user, default: 0] += 1
            turns.begin(peer.device.user)
            if isVain { silent += 1 } else { open += 1 }
        }
        search.bringer = nil
        plan(&search, isWaiting: open > 0 || isMoreToAsk, wantedLast: wanted.last, context)
    }

    /// Notes when there is something to do next: when the next device is asked as well, or the next pass begins.
    private func plan(_ search: inout Search, isWaiting: Bool, wantedLast: OperationID?, _ context: NodeContext) {
        let now = context.now
        let isOver = search.asked.values.allSatisfy { last in wantedLast.map { last >= $0 } ?? true }
        if isWaiting || !isOver {
            search.next = now + PersonTurns.answerTimeout
            return
        }
        if search.restsUntil == nil {
            search.emptyPasses = min(search.emptyPasses + 1, 10)
            search.restsUntil = now + min(Self.maximumBackoff, .milliseconds(500 << search.emptyPasses))
        }
        // Somebody may come meanwhile.
        search.next = min(search.restsUntil ?? now, now + Self.timeout)
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

    /// The connected devices of a conversation's members in the order in which they are asked: first who brought much, if it did so just now.
    private func inOrder(
        of conversation: ConversationID, _ search: Search, authors: Set<DeviceID>, _ context: NodeContext
    ) -> [Connected] {
        let connected = context.links.sorted { $0.key < $1.key }.compactMap { handle, link -> Connected? in
            guard let device = link.identity?.device,
                context.replicas[conversation]?.group.isMember(device.user) == true
            else { return nil }
            return Connected(handle: handle, device: device)
        }
        // Of one person first the device that wrote what is wanted, then those that were not asked in this pass.
        let ordered = connected.enumerated().sorted { one, other in
            let rank = { (device: DeviceID) in
                (search.asked[device] == nil ? 0 : 1, authors.contains(device) ? 0 : 1)
            }
            let (mine, theirs) = (rank(one.element.device.id), rank(other.element.device.id))
            return (mine.0, mine.1, one.offset) < (theirs.0, theirs.1, other.offset)
        }.map(\.element)
        var rounds = search.turnsInPass
        let placed = ordered.enumerated().map { offset, peer in
            defer { rounds[peer.device.user, default: 0] += 1 }
            let place = turns.place(
                of: peer.device.user, hasShown: authors.contains(peer.device.id),
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

    /// Who may have a body, and the device that wrote it.
    private static func holders(
        of body: OperationID, in conversation: ConversationID, _ context: inout NodeContext
    ) -> (holders: Holders, author: DeviceID?) {
        guard let header = try? context.storage.operation(body, of: conversation)?.header else { return (.nobody, nil) }
        guard header.type.isClosed else { return (.everybody, header.device) }
        // First its key, so that it is read as soon as it comes.
        if let epoch = header.epoch, context.replicas[conversation]?.epochs.elsewhere.contains(epoch) == true {
            return (.nobody, nil)
        }
        // In place: a copy of the replica would cost more than the view.
        let view = context.replicas[conversation]?.view(at: header.membershipHeads)
        return (view.map(Holders.readers) ?? .nobody, header.device)
    }

    /// Takes in the answer of a device that was asked; what others send tells nothing of what to ask next.
    private mutating func take(
        _ answered: [OperationID], wanted: [AdmittedOperation], from device: DeviceID?,
        in conversation: ConversationID, at now: Instant
    ) {
        guard let device, var search = searches[conversation],
            let question = search.questions.removeValue(forKey: device)
        else { return }
        search.take(answered, to: question, by: device)
        search.next = now
        if !wanted.isEmpty {
            turns.bring(question.user)
            (search.misses, search.emptyPasses) = (0, 0)
            // Whoever brought so much is asked for the rest: in turn over everybody, a few who hold much would be slow.
            let bytes = wanted.reduce(0) { $0 + $1.operation.header.bodyLength }
            if bytes >= Self.manyBytes || answered.count == question.bodies.count { search.bringer = device }
        }
        searches[conversation] = search
    }
}
