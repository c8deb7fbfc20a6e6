import Conversations
import OperationLog
import Replication

/// Fetches bodies that are for this device and did not come with their headers: whoever relayed those may not have had them.
extension NodeCore {
    /// How long a peer has to answer.
    private static let timeout: Duration = .seconds(2)
    /// How long to rest at most when nobody has a body.
    private static let longestRest: Duration = .seconds(10)

    /// Bytes in an answer after which the same peer is asked again; a full answer has twice as many.
    private static let manyBytes = Limits.batchBytes / 4

    /// A search for the bodies of one conversation.
    struct BodySearch: Sendable {
        /// How many answers in a row brought nothing.
        var emptyReplies = 0
        /// What was asked of a device last, ascending.
        var asked: (device: DeviceID, bodies: [OperationID])?
        /// The devices that were asked for a body and did not have it.
        var denials: [OperationID: Set<DeviceID>] = [:]
        /// Whom to ask next, and after everybody was asked the next part: counted through both.
        var turn = 0
        /// Not before this moment.
        var next: Instant

        init(next: Instant) { self.next = next }

        /// Notes what a device did not have of what it was asked for. An answer ends where there was no room for more.
        mutating func take(_ answered: [OperationID], from device: DeviceID?) {
            guard let asked, asked.device == device else { return }
            self.asked = nil
            let lacking = Set(asked.bodies).subtracting(answered).filter { id in answered.last.map { id < $0 } ?? true }
            for id in lacking { denials[id, default: []].insert(asked.device) }
            for id in answered { denials[id] = nil }
        }
    }

    /// Asks one connected member for what is wanted and may be here with them, unless an answer is due.
    ///
    /// One after the other is asked, and of much that is wanted one part after the other: what a liar keeps to themselves must not stand in
    /// the way of what others have.
    mutating func askForBodies(in conversation: ConversationID) {
        guard var replica = replicas[conversation], !replica.wanted.isEmpty else {
            bodySearches[conversation] = nil
            return
        }
        var search = bodySearches[conversation] ?? BodySearch(next: now)
        guard search.next <= now else { return }
        let peers = links.sorted { $0.key < $1.key }.compactMap { handle, link in
            link.identity.flatMap { replica.group.isMember($0.device.user) ? (handle, $0.device.id) : nil }
        }
        let wanted = replica.wanted.sorted()
        let parts = (wanted.count + PeerMessage.maximumBodies - 1) / PeerMessage.maximumBodies
        for _ in 0..<peers.count {
            let (peer, device) = peers[search.turn % peers.count]
            let part = search.turn / peers.count % parts
            search.turn += 1
            let asked = wanted[
                part * PeerMessage.maximumBodies..<min(wanted.count, (part + 1) * PeerMessage.maximumBodies)
            ]
            .filter { id in
                guard let header = try? storage.operation(id, of: conversation)?.header else { return false }
                return !header.type.isClosed || replica.view(at: header.membershipHeads)?.contains(device) == true
            }
            guard !asked.isEmpty else { continue }
            replicate(.bodiesWanted(peer, conversation, asked))
            search.asked = (device, asked)
            search.next = now + Self.timeout
            break
        }
        bodySearches[conversation] = search
    }

    /// Asks wherever something is wanted.
    mutating func askForBodies() {
        for conversation in replicas.keys.sorted() where replicas[conversation]?.wanted.isEmpty == false {
            askForBodies(in: conversation)
        }
    }

    /// Sends a peer the bodies it asks for, as far as they are here and for it.
    mutating func supply(_ ids: [OperationID], of conversation: ConversationID, to peer: PeerHandle) {
        guard var replica = replicas[conversation], let reader = links[peer]?.identity?.device.id else { return }
        var bodies: [PeerMessage.Body] = []
        var room = Limits.batchBytes / 2
        for id in ids {
            guard let operation = try? storage.operation(id, of: conversation), let body = operation.body else {
                continue
            }
            if operation.header.type.isClosed {
                guard replica.view(at: operation.header.membershipHeads)?.contains(reader) == true else { continue }
            }
            guard body.count <= room else { break }
            room -= body.count
            disclose([operation], of: conversation)
            bodies.append(PeerMessage.Body(operation: id, bytes: body))
        }
        replicate(.bodiesFound(peer, conversation, bodies))
    }

    /// Takes in bodies that were asked for; what was not wanted or is not what the author signed is passed over.
    mutating func fill(_ bodies: [PeerMessage.Body], in conversation: ConversationID, from peer: PeerHandle) {
        guard var replica = replicas[conversation] else { return }
        let index = storage.index(of: conversation)
        var found: [AdmittedOperation] = []
        for body in bodies where replica.wanted.contains(body.operation) {
            guard let stored = try? storage.operation(body.operation, of: conversation),
                let operation = stored.with(body: body.bytes),
                let placement = try? index.placement(of: body.operation)
            else { continue }
            found.append(AdmittedOperation(operation, admittedAt: placement))
        }
        var search = bodySearches[conversation] ?? BodySearch(next: now)
        let sender = links[peer]?.identity?.device.id
        let bytes = found.reduce(0) { $0 + $1.operation.header.bodyLength }
        // Whoever brought so much is asked for the rest: in turn over everybody, a few who hold much would be slow.
        if let asked = search.asked, asked.device == sender, bytes >= Self.manyBytes { search.turn -= 1 }
        search.take(bodies.map(\.operation), from: sender)
        search.emptyReplies = found.isEmpty ? min(search.emptyReplies + 1, 10) : 0
        search.next = found.isEmpty ? now + min(Self.longestRest, .milliseconds(500 << search.emptyReplies)) : now
        bodySearches[conversation] = search
        guard !found.isEmpty else { return }
        let (_, encryption) = settle(found, in: &replica, made: [:])
        do throws(StoreError) {
            try storage.fill(
                found.map { ($0.operation.id, $0.operation.body ?? []) }, keys: encryption.keys,
                erasing: encryption.takenBack.sorted(), in: conversation)
        } catch {
            lastStorageError = error
            return note(.notStored(NodeError(error)))
        }
        replica.wanted.subtract(found.map(\.operation.id))
        tellReceipts(.changed(conversation))
        replicas[conversation] = replica
        makeRoom(after: encryption.takenBack, in: conversation)
        linkAnnotations(in: conversation)
        tellFiles(.committed(found, in: conversation))
        tellFiles(.erased(Array(encryption.takenBack), in: conversation))
        show(.committed(found, in: conversation, told: nil))
        writeObligations(in: conversation)
        askForBodies(in: conversation)
    }
}
