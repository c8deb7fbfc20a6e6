import Conversations
import OperationLog
import Storage

/// Takes from sight what revoked devices wrote and no revocation covers.
///
/// The storage remembers it row by row, so that pages, counts and searches cost what they did: nobody looks at what is withheld, however much of
/// it there is. Nothing of it is erased: a later statement may name more of it, and others may lack it.
extension NodeCore {
    /// What is withheld of a conversation.
    ///
    /// - Complexity: O(*n*) in that; O(1) where no device was revoked.
    public func withheld(in conversation: ConversationID) throws(StoreError) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for device in replicas[conversation]?.contentCuts.keys.sorted() ?? [] {
            found.formUnion(try storage.withheld(of: device, in: conversation).map(\.id))
        }
        return found
    }

    /// Settles what is shown of revoked devices, after operations came that may change that.
    ///
    /// - Complexity: O(1) for each operation. Where what decides changed, O(*n*) in what is shown from now on; where something counts no more, in all that
    ///   the device wrote that was not shown, or is not from now on.
    mutating func settleWithheld(in conversation: ConversationID, after admitted: [AdmittedOperation]) {
        guard let replica = replicas[conversation] else { return }
        var cuts = replica.contentCuts
        var due: Set<DeviceID> = []
        if admitted.contains(where: { $0.operation.header.lane == .membership }) {
            cuts = replica.group.contentCuts
            due = Set(cuts.keys.filter { cuts[$0] != replica.contentCuts[$0] })
        }
        guard !cuts.isEmpty else { return }
        for operation in admitted.lazy.map(\.operation)
        where cuts[operation.author.id]?.pinned.contains(operation.id) == true {
            replicas[conversation]?.revokedContent[operation.author.id]?.covered?.arrive(operation)
            due.insert(operation.author.id)
        }
        for device in due.sorted() { settleWithheld(of: device, in: conversation, by: cuts[device]) }
    }

    /// The same at a start: the node may have ended before it had settled it.
    mutating func settleWithheld(in conversation: ConversationID) {
        for (device, cut) in (replicas[conversation]?.contentCuts ?? [:]).sorted(by: { $0.key < $1.key }) {
            settleWithheld(of: device, in: conversation, by: cut)
        }
    }

    /// Where that fails, it is due again with the next decision, or at the next start.
    private mutating func settleWithheld(of device: DeviceID, in conversation: ConversationID, by cut: ContentCut?) {
        guard var replica = replicas[conversation] else { return }
        var withheld: [OperationID] = []
        var shown: [AdmittedOperation] = []
        do throws(StoreError) {
            var due: [OperationID]
            if let news = replica.takeNews(ofRevoked: device, in: storage) {
                due = news
            } else {
                let known = Set(try storage.withheld(of: device, in: conversation).map(\.id))
                let all = try replica.cutContent(of: device, knowing: known, in: storage)
                withheld = all.subtracting(known).sorted()
                due = known.subtracting(all).sorted()
            }
            due = try storage.withhold(withheld, showing: due, in: conversation)
            let index = storage.index(of: conversation)
            for id in due {
                guard let operation = try storage.operation(id, of: conversation),
                    let placement = try? index.placement(of: id)
                else { continue }
                shown.append(AdmittedOperation(operation, admittedAt: placement))
            }
        } catch {
            return storageFailed(error)
        }
        replica.contentCuts[device] = cut
        replica.noteSettled(device)
        replica.wanted.subtract(withheld)
        for operation in shown.lazy.map(\.operation) where operation.body == nil {
            replica.wanted.insert(WantedBody(of: operation))
        }
        replicas[conversation] = replica
        guard !withheld.isEmpty || !shown.isEmpty else { return }
        makeRoom(after: Set(withheld + shown.map(\.operation.id)), in: conversation)
        tellFiles(.erased(withheld, in: conversation))
        tellFiles(.committed(shown, in: conversation))
        tellReceipts(.changed(conversation))
        tellBodies(.changed(conversation))
        // What is not shown any more may be on somebody's screen.
        show(.conversation(conversation))
        if !shown.isEmpty { show(.committed(shown, in: conversation, told: nil)) }
    }
}

extension Replica {
    /// What a revoked device wrote that nothing covers, and that could be shown otherwise.
    ///
    /// - Parameter known: what of it is withheld already.
    /// - Complexity: O(*n*) in what nothing covers: what precedes something that is covered is, too.
    fileprivate mutating func cutContent(
        of device: DeviceID, knowing known: Set<OperationID>, in storage: any ReplicaStorage
    ) throws(StoreError) -> Set<OperationID> {
        var found: Set<OperationID> = []
        var seen: Set<OperationID> = []
        for tip in log.contentFrontier.tips[device] ?? [] {
            var next: OperationID? = tip.id
            while let id = next, seen.insert(id).inserted, let operation = try storage.operation(id, of: self.id),
                isRevoked(operation, in: storage)
            {
                let isThere = operation.body != nil || wanted.contains(id) || quotas.declined.contains(id)
                if operation.header.type.isClosed, isThere || known.contains(id) { found.insert(id) }
                next = operation.header.previous
            }
        }
        return found
    }
}
