import Conversations
import OperationLog
import Replication
import Storage

/// What peers and the node's other parts ask of ``BodyFetcher``, and what is done with the bodies that come.
extension NodeCore {
    /// Tells the fetcher of bodies what happened, and carries out what it asks for.
    mutating func tellBodies(_ event: BodyFetcher.Event) {
        carryOut(bodyFetcher.handle(event, in: &context))
        // Who is asked now is waited for no longer than that, whatever else is due.
        if let next = bodyFetcher.nextDeadline, next > now { effects.append(.wake(at: next)) }
    }

    /// Sends a peer the bodies it asks for, as far as they are here and for it.
    mutating func supply(_ ids: [OperationID], of conversation: ConversationID, to peer: PeerHandle) {
        guard var replica = replicas[conversation], let reader = links[peer]?.identity?.device else { return }
        var bodies: [PeerMessage.Body] = []
        var room = Limits.targetBatchBytes / 2
        for id in ids {
            guard let operation = try? storage.operation(id, of: conversation), let body = operation.body else {
                continue
            }
            // What this device may read, its user's other devices may.
            if operation.header.type.isClosed, !context.isOwn(reader) {
                guard replica.view(at: operation.header.membershipHeads)?.contains(reader.id) == true else { continue }
            }
            guard body.count <= room else { break }
            room -= body.count
            disclose([operation], of: conversation)
            bodies.append(PeerMessage.Body(operation: id, bytes: body))
        }
        replicate(.saying(.bodies(.found(bodies)), of: conversation, to: [peer], .bulk))
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
        tellBodies(
            .answered(
                bodies.map(\.operation), wanted: found, by: links[peer]?.identity?.device.id, in: conversation))
        guard !found.isEmpty else { return }
        let (_, encryption) = interpret(found, in: &replica, made: [:])
        do throws(StoreError) {
            try storage.fill(
                found.map { ($0.operation.id, $0.operation.body ?? []) }, keys: encryption.keys,
                erasing: encryption.takenBack.sorted(), in: conversation)
        } catch {
            return storageFailed(error)
        }
        replica.wanted.subtract(found.map(\.operation.id))
        replicas[conversation] = replica
        tellReceipts(.changed(conversation))
        makeRoom(after: encryption.takenBack, in: conversation)
        linkAnnotations(
            under: Set(encryption.keys.keys), filled: found.map(\.operation), in: conversation)
        tellFiles(.committed(found, in: conversation))
        tellFiles(.erased(Array(encryption.takenBack), in: conversation))
        show(.committed(found, in: conversation, told: nil))
        // A key may open what came before it.
        if !encryption.keys.isEmpty { show(.conversation(conversation)) }
        writeObligations(in: conversation)
        tellBodies(.changed(conversation))
    }
}
