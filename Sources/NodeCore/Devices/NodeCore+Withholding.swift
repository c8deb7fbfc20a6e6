import Conversations
import OperationLog
import Storage

/// Takes from sight what revoked devices wrote and no revocation covers.
///
/// The storage remembers it row by row, so that pages, counts and searches cost what they did: nobody looks at what is
/// withheld, however much of it there is. Nothing of it is erased: a later statement may name more of it, and others
/// may lack it.
extension NodeCore {
    /// What is withheld of a conversation.
    ///
    /// - Complexity: O(*n*) in that; O(1) where no device was revoked.
    public func withheld(in conversation: ConversationID) throws(StoreError) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for (_, device) in replicas[conversation]?.group.revokedDevices ?? [] {
            found.formUnion(try storage.withheld(of: device, in: conversation).map(\.id))
        }
        return found
    }

    /// Settles what is shown of revoked devices, after operations came that may change that.
    ///
    /// - Complexity: O(1) for each operation of the content lane. After decisions O(*n*) in all that is named of
    ///   revoked devices, and in what is shown from now on; where something is named no more, in all that the device
    ///   wrote that was not shown, or is not from now on.
    mutating func settleWithheld(in conversation: ConversationID, after admitted: [AdmittedOperation]) {
        var due: [DeviceID: UserID] = [:]
        for operation in admitted.lazy.map(\.operation) where arrives(operation, in: conversation) {
            due[operation.author.id] = operation.author.user
        }
        let arrived = Set(due.keys)
        if admitted.contains(where: { $0.operation.header.lane == .membership }) {
            for (user, device) in replicas[conversation]?.group.revokedDevices ?? [] { due[device] = user }
        }
        let storage = storage
        for (device, user) in due.sorted(by: { $0.key < $1.key }) {
            if arrived.contains(device)
                || replicas[conversation]?.isUnsettled(device, of: user, in: storage) == true
            {
                settleWithheld(of: device, of: user, in: conversation)
            }
        }
    }

    /// Notes that an operation has come; whether it is content of a revoked device that somebody names.
    private mutating func arrives(_ operation: Operation, in conversation: ConversationID) -> Bool {
        guard replicas[conversation]?.group.mayBeRevoked(operation.author.id, of: operation.author.user) == true else {
            return false
        }
        return replicas[conversation]?.revokedContent[operation.author.id]?.covered?.arrive(operation) == true
    }

    /// The same at a start: the node may have ended before it had settled it.
    mutating func settleWithheld(in conversation: ConversationID) {
        let revoked = replicas[conversation]?.group.revokedDevices ?? []
        for (user, device) in revoked.sorted(by: { $0.device < $1.device }) {
            settleWithheld(of: device, of: user, in: conversation)
        }
    }

    /// Where that fails, all of the device is looked at with the next decision, or at the next start.
    private mutating func settleWithheld(of device: DeviceID, of user: UserID, in conversation: ConversationID) {
        guard var replica = replicas[conversation] else { return }
        var withheld: [OperationID] = []
        var shown: [AdmittedOperation] = []
        do throws(StoreError) {
            if let news = try replica.takeNews(ofRevoked: device, of: user, in: storage) {
                shown = try entries(of: news, in: conversation)
            } else {
                let known = Set(try storage.withheld(of: device, in: conversation).map(\.id))
                let all = try replica.cutContent(of: device, knowing: known, in: storage)
                withheld = all.subtracting(known).sorted()
                shown = try entries(of: known.subtracting(all).sorted(), in: conversation)
            }
            let found = Set(try storage.withhold(withheld, showing: shown.map(\.operation.id), in: conversation))
            shown.removeAll { !found.contains($0.operation.id) }
        } catch {
            replicas[conversation]?.revokedContent[device] = nil
            return storageFailed(error)
        }
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

    private func entries(
        of ids: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [AdmittedOperation] {
        let index = storage.index(of: conversation)
        var found: [AdmittedOperation] = []
        for id in ids {
            guard let operation = try storage.operation(id, of: conversation),
                let placement = try? index.placement(of: id)
            else { continue }
            found.append(AdmittedOperation(operation, admittedAt: placement))
        }
        return found
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
