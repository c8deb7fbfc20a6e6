import Conversations
import OperationLog
import Replication

/// Fetches bodies that are for this device and did not come with their headers: whoever relayed those may not have had them.
extension NodeCore {
    /// How long a peer has to answer.
    private static let patience: Duration = .seconds(2)
    /// How long to rest at most when nobody has a body.
    private static let longestRest: Duration = .seconds(10)

    /// A search for the bodies of one conversation.
    struct BodySearch: Sendable {
        /// How many answers in a row brought nothing.
        var fruitless = 0
        /// Whom to ask next, counted through the candidates.
        var turn = 0
        /// Not before this moment.
        var next: Instant
    }

    /// Asks one of those who may have it for what is wanted, unless an answer is due.
    mutating func askForBodies(in conversation: ConversationID) {
        guard var replica = replicas[conversation], let first = replica.wanted.min() else {
            bodySearches[conversation] = nil
            return
        }
        var search = bodySearches[conversation] ?? BodySearch(next: now)
        guard search.next <= now else { return }
        let operation = try? storage.operation(first, of: conversation)
        let view = operation.flatMap { replica.view(at: $0.header.membershipHeads) }
        let isForAll = operation?.header.type.isClosed == false
        let candidates = links.sorted { $0.key < $1.key }.compactMap { handle, link -> PeerHandle? in
            guard let identity = link.identity, replica.group.isMember(identity.device.user) else { return nil }
            return isForAll || view?.contains(identity.device.id) == true ? handle : nil
        }
        guard !candidates.isEmpty else { return }
        let wanted = Array(replica.wanted.sorted().prefix(PeerMessage.bodyLimit))
        replicate(.bodiesWanted(candidates[search.turn % candidates.count], conversation, wanted))
        search.turn += 1
        search.next = now + Self.patience
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
            bodies.append(PeerMessage.Body(operation: id, bytes: body))
        }
        replicate(.bodiesFound(peer, conversation, bodies))
    }

    /// Takes in bodies that were asked for; what was not wanted or is not what the author signed is passed over.
    mutating func fill(_ bodies: [PeerMessage.Body], in conversation: ConversationID) {
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
        search.fruitless = found.isEmpty ? min(search.fruitless + 1, 10) : 0
        search.next = found.isEmpty ? now + min(Self.longestRest, .milliseconds(500 << search.fruitless)) : now
        bodySearches[conversation] = search
        guard !found.isEmpty else { return }
        let (_, encryption) = settle(found, in: &replica, made: [:])
        do throws(StoreError) {
            try storage.fill(
                found.map { ($0.operation.id, $0.operation.body ?? []) }, keys: encryption.keys, in: conversation)
        } catch {
            storageTrouble = error
            return note(.notStored(NodeError(error)))
        }
        replica.wanted.subtract(found.map(\.operation.id))
        replicas[conversation] = replica
        linkAnnotations(in: conversation)
        show(.committed(found, in: conversation, told: nil))
        settleDebts(in: conversation)
        askForBodies(in: conversation)
    }
}
