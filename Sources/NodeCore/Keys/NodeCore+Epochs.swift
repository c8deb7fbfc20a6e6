import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Closes what is written and opens what is read: one key for each view, made when the first message to it is written.
extension NodeCore {
    // MARK: - Writing

    /// Closes texts for the members of this moment.
    ///
    /// - Parameters:
    ///   - texts: what the bodies say, each with the type of its operation.
    ///   - log: changed as if the operations were written.
    /// - Returns: the operations, after the epoch they need where there was none yet, and that epoch's key.
    mutating func seal(
        _ texts: [(type: OperationType, plaintext: [UInt8])], in replica: Replica, log: inout ConversationLog,
        about last: (OperationID) -> [(type: OperationType, plaintext: [UInt8])] = { _ in [] }
    ) throws(MalformedBytes) -> (written: [AdmittedOperation], made: [OperationID: EpochKey]) {
        var group = replica.group
        // Merging heads, which writing may begin with, changes nobody's membership.
        guard let view = group.view(at: replica.log.membership.heads, in: replica.log.membership) else {
            preconditionFailure("a replica knows its own heads")
        }
        var written: [AdmittedOperation] = []
        var made: [OperationID: EpochKey] = [:]
        let epoch: (id: OperationID, key: EpochKey)
        if let usable = replica.epochs.usable(for: view.id) {
            epoch = usable
        } else {
            let key = EpochKey.generate(using: &random)
            written = try log.write(content: [draft(of: key, for: view)], by: keys.author, at: moment.wall)
            guard let id = written.last?.operation.id else { preconditionFailure("an epoch was written") }
            made[id] = key
            epoch = (id, key)
        }
        written += try log.write(content: drafts(of: texts, under: epoch), by: keys.author, at: moment.wall)
        let more = written.last.map { last($0.operation.id) } ?? []
        if !more.isEmpty {
            written += try log.write(content: drafts(of: more, under: epoch), by: keys.author, at: moment.wall)
        }
        return (written, made)
    }

    private mutating func drafts(
        of texts: [(type: OperationType, plaintext: [UInt8])], under epoch: (id: OperationID, key: EpochKey)
    ) -> [ConversationLog.Draft] {
        texts.map { text in
            let (nonce, key) = (random.bytes(ExtendedNonceCipher.nonceByteCount), epoch.key)
            return ConversationLog.Draft(
                type: text.type, epoch: epoch.id, bodyLength: EpochKey.bodyLength(of: text.plaintext)
            ) { header in
                key.seal(text.plaintext, for: header, nonce: nonce)
            }
        }
    }

    private mutating func draft(of key: EpochKey, for view: View) -> ConversationLog.Draft {
        let wraps = view.readers.map { reader in wrap(key, to: reader.wrapKey) }
        return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
        }
    }

    mutating func wrap(_ key: EpochKey, to wrapKey: [UInt8]) -> [UInt8] {
        do throws(CryptographyError) {
            return try SealedBox.seal(key.secret, to: wrapKey, using: &random)
        } catch {
            preconditionFailure("a record with a weak key is malformed: \(error)")
        }
    }

    // MARK: - Taking in

    /// Finds out what content operations mean for keys and bodies, before they are committed.
    ///
    /// - Parameters:
    ///   - made: keys of epochs among them that this device has just made.
    /// - Returns: the operations, without bodies that are for others or have no room, and what to commit besides.
    mutating func interpret(
        _ admitted: [AdmittedOperation], in replica: inout Replica, made: [OperationID: EpochKey]
    ) -> ([AdmittedOperation], EncryptionCommit) {
        var commit = EncryptionCommit()
        var settled = admitted
        var heads: [OperationID] = []
        var view: View?
        var isUnaccepted: Bool?
        for (index, entry) in admitted.enumerated() {
            let operation = entry.operation
            if operation.header.membershipHeads != heads {
                heads = operation.header.membershipHeads
                view = replica.view(at: heads)
            }
            guard let view else { preconditionFailure("what content names is in the lane") }
            let isReader = view.contains(me)
            guard operation.header.type.isClosed else {
                if operation.body == nil {
                    want(operation, in: &replica, &commit)
                } else {
                    take(operation, under: view, into: &replica, made: made[operation.id], &commit)
                }
                continue
            }
            if let epoch = operation.header.epoch { replica.note(operation.author, writingUnder: epoch, to: view) }
            if !isReader {
                commit.closed.insert(operation.id)
                if operation.body != nil { settled[index] = entry.withoutBody }
            } else if replica.isRevoked(operation, in: storage) {
                commit.withheld.insert(operation.id)
                guard operation.body != nil else { continue }
                if !hasRoom(for: operation, in: &replica, isUnaccepted: &isUnaccepted) {
                    settled[index] = entry.withoutBody
                } else if operation.header.type.isAnnotation {
                    commit.links[operation.id] = link(of: operation, under: view, in: replica)
                }
            } else if !hasRoom(for: operation, in: &replica, isUnaccepted: &isUnaccepted) {
                commit.declined.insert(operation.id)
                if operation.body != nil { settled[index] = entry.withoutBody }
            } else if operation.body == nil {
                want(operation, in: &replica, &commit)
            } else if operation.header.type.isAnnotation {
                commit.links[operation.id] = link(of: operation, under: view, in: replica)
            }
        }
        let counting =
            commit.withheld.isEmpty ? commit.links : commit.links.filter { !commit.withheld.contains($0.key) }
        commit.takenBack = retracted(by: admitted.map(\.operation), leading: counting, in: replica)
        replica.wanted.subtract(commit.takenBack)
        return (settled, commit)
    }

    private func want(_ operation: Operation, in replica: inout Replica, _ commit: inout EncryptionCommit) {
        commit.wanted.insert(operation.id)
        replica.wanted.insert(WantedBody(of: operation))
    }

    /// Takes in an epoch, a complaint or a wrap.
    private mutating func take(
        _ operation: Operation, under view: View, into replica: inout Replica, made: EpochKey?,
        _ commit: inout EncryptionCommit
    ) {
        let about = operation.header.type == .epoch ? operation.id : operation.header.epoch
        replica.take(
            operation, under: view, for: device, kept: made.map(Epochs.KeptKey.key), opening: keyManager.wrapKeys)
        for claimant in replica.wanted.claimants(of: operation.id) {
            replica.note(claimant, writingUnder: operation.id, to: view)
        }
        guard let about, let epoch = replica.epochs.all[about], case .held(let key) = epoch.key,
            !replica.storedKeys.contains(about)
        else { return }
        replica.storedKeys.insert(about)
        commit.keys[about] = sealForRest(key, of: about, in: replica.id)
    }

    /// A key of an epoch, sealed for the storage.
    mutating func sealForRest(
        _ key: EpochKey, of epoch: OperationID, in conversation: ConversationID
    ) -> [UInt8] {
        keys.sealing.seal(key.secret, in: Self.cell(of: epoch, in: conversation), using: &random)
    }

    private static func cell(of epoch: OperationID, in conversation: ConversationID) -> StorageLocation {
        StorageLocation(table: "epoch_keys", row: conversation.digest.bytes + epoch.digest.bytes, kind: "key")
    }

    /// Rebuilds what a conversation has of keys.
    ///
    /// - Throws: `corrupted` for a key that does not open.
    package mutating func restoreEncryption(of replica: inout Replica) throws(StoreError) {
        let stored = try storage.encryption(of: replica.id)
        replica.wanted.become(stored.wanted)
        let storage = storage
        let quotas = BodyQuotas(
            try storage.bodyBytes(in: replica.id), declined: try storage.declined(in: replica.id)
        ) { replica.isCutOff($0, in: storage) }
        replica.quotas = quotas
        replica.storedKeys = stored.erased.union(stored.keys.keys)
        for operation in stored.operations where operation.body != nil {
            guard let view = replica.view(at: operation.header.membershipHeads) else {
                throw .corrupted("operation \(operation.id) names membership operations that are not here")
            }
            var kept: Epochs.KeptKey?
            if let sealed = stored.keys[operation.id] {
                kept = (try? keys.sealing.open(sealed, in: Self.cell(of: operation.id, in: replica.id)))
                    .flatMap(EpochKey.init).map(Epochs.KeptKey.key)
                guard kept != nil else { throw .corrupted("the key of epoch \(operation.id) does not open") }
            } else if stored.erased.contains(operation.id) {
                kept = .erased
            }
            replica.take(operation, under: view, for: device, kept: kept, opening: keyManager.wrapKeys)
        }
    }

    /// Opens keys from the log once more that were erased and are not marked so any more: members go on under the key
    /// of earlier where they are the same people again.
    mutating func reopenKeys(of conversation: ConversationID) {
        guard var replica = replicas[conversation] else { return }
        replica.epochs = Epochs()
        do throws(StoreError) {
            try restoreEncryption(of: &replica)
            var opened: [OperationID: [UInt8]] = [:]
            for (id, epoch) in replica.epochs.all where !replica.storedKeys.contains(id) {
                guard case .held(let key) = epoch.key else { continue }
                opened[id] = sealForRest(key, of: id, in: conversation)
            }
            try storage.fill([], keys: opened, erasing: [], in: conversation)
            replica.storedKeys.formUnion(opened.keys)
        } catch {
            return storageFailed(error)
        }
        replicas[conversation] = replica
    }

    // MARK: - Reading

    /// What this device can see of the body of a content operation.
    ///
    /// - Complexity: for a message about 3 µs, once the view at its heads is known.
    public mutating func read(_ operation: Operation, in conversation: ConversationID) -> Reading {
        guard var replica = replicas[conversation] else { return .closed }
        defer { replicas[conversation] = replica }
        return replica.read(operation, for: me, in: storage)
    }
}
