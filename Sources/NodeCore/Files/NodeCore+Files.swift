import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication

/// Which files there are, which are wanted, and which may go.
///
/// A file is wanted as soon as an operation that names it opens here, so that it is there for others when its sender is gone. It goes when
/// no body that is here names it any more.
extension NodeCore {
    /// How long a file that was put in may wait for the message that carries it.
    static let uploadLife: Duration = .seconds(3_600)
    /// How long to rest after a chunk could not be written.
    static let diskRest: Duration = .seconds(5)

    // MARK: - Looking

    /// The files that messages of a conversation carry and that can be opened here, with those messages, in the order of their arrival.
    public mutating func files(
        in conversation: ConversationID
    ) throws(StoreError) -> [(message: OperationID, file: Attachment)] {
        guard var replica = replicas[conversation] else { return [] }
        defer { replicas[conversation] = replica }
        return try storage.files(in: conversation).compactMap { entry in
            guard let body = replica.annotationBody(entry.operation, for: device.id),
                case .file(let name, let reference) = body.change
            else { return nil }
            return (body.target, Attachment(operation: entry.operation.id, name: name, reference: reference))
        }
    }

    /// How a file is doing here.
    public func state(of address: BlobAddress) -> FileState {
        let count = address.chunkCount
        guard !wholeBlobs.contains(address) else { return FileState(phase: .here, chunks: count, of: count) }
        let held = transfers.held(of: address)?.count ?? 0
        let phase: FileState.Phase =
            switch transfers.state(of: address) {
            case .fetching: .fetching
            case .halted(.cancelled): .cancelled
            case .halted(.disk): .failed(fileTrouble ?? .diskFull)
            case .waiting, nil: .waiting
            }
        return FileState(phase: phase, chunks: held, of: count)
    }

    /// The blobs that operations name.
    public var blobs: [BlobAddress] { fileIndex.addresses }

    /// The first message that carries a blob; nil if none does that can be read here.
    public func mention(
        of address: BlobAddress
    ) -> (conversation: ConversationID, message: OperationID, file: Attachment)? {
        for mention in fileIndex.mentions(of: address) {
            guard let message = mention.message else { continue }
            let file = Attachment(operation: mention.operation, name: mention.name, reference: mention.reference)
            return (mention.conversation, message, file)
        }
        return nil
    }

    /// What a blob is called by the first operation that names it.
    public func name(of address: BlobAddress) -> String? { fileIndex.mentions(of: address).first?.name }

    // MARK: - Putting in

    /// Notes that all of a file was put into the storage, to be sent soon.
    public mutating func uploaded(_ reference: BlobReference, at moment: Moment) {
        self.moment = moment
        uploads[reference.address] = (reference, now)
        wholeBlobs.insert(reference.address)
        transfers.forget(reference.address)
    }

    /// A file that was put in and waits to be sent, or that a message carries.
    public func known(_ address: BlobAddress) -> BlobReference? {
        uploads[address]?.reference ?? fileIndex.mentions(of: address).first?.reference
    }

    /// Forgets files that were put in and never sent.
    mutating func expireUploads() {
        for (address, upload) in uploads where now - upload.since >= Self.uploadLife {
            uploads[address] = nil
            collect([address])
        }
    }

    // MARK: - Wanting

    /// Finds out anew which files a conversation names; wants the new ones, and lets go of those that nobody names any more.
    mutating func indexFiles(in conversation: ConversationID) {
        let before = fileIndex.addresses(in: conversation)
        do throws(StoreError) {
            let operations = try storage.files(in: conversation).map(\.operation)
            guard var replica = replicas[conversation] else { return }
            var found = operations.compactMap { operation -> FileIndex.Mention? in
                if let known = fileIndex.mention(by: operation.id) { return known }
                guard let body = replica.annotationBody(operation, for: device.id),
                    case .file(let name, let reference) = body.change
                else { return nil }
                return FileIndex.Mention(
                    conversation: conversation, lane: .content, operation: operation.id,
                    membershipHeads: operation.header.membershipHeads, message: body.target, name: name,
                    reference: reference)
            }
            if let photo = replica.group.photo {
                found.append(
                    FileIndex.Mention(
                        conversation: conversation, lane: .membership, operation: photo.operation, membershipHeads: [],
                        message: nil, name: GroupPhoto.fileName, reference: photo.reference))
            }
            replicas[conversation] = replica
            fileIndex.replace(found, of: conversation)
        } catch {
            return note(.notJudged(error))
        }
        let after = fileIndex.addresses(in: conversation)
        for address in after where !before.contains(address) { want(address) }
        collect(before.filter { !after.contains($0) })
    }

    /// Reads what is here of the files that the log names, and erases what it does not name.
    mutating func restoreFiles() throws(StoreError) {
        cancelledBlobs = try blobStorage.cancelled()
        for conversation in replicas.keys.sorted() { indexFiles(in: conversation) }
        let named = Set(fileIndex.addresses.map(\.root))
        for root in try blobStorage.roots().union(cancelledBlobs) where !named.contains(root) {
            try blobStorage.remove(root)
        }
    }

    private mutating func want(_ address: BlobAddress) {
        uploads[address] = nil
        guard !wholeBlobs.contains(address), transfers.state(of: address) == nil else { return }
        let held: ChunkSet
        do throws(StoreError) {
            held = try blobStorage.chunks(of: address)
        } catch {
            return note(.notJudged(error))
        }
        guard !held.isWhole else {
            wholeBlobs.insert(address)
            return
        }
        transfers.want(
            address, holding: held, halted: cancelledBlobs.contains(address.root) ? .cancelled : nil)
        show(.file(address))
        for peer in links.keys.sorted() { meet(peer, for: address) }
        planWake()
    }

    /// Erases blobs that nobody names.
    private mutating func collect(_ candidates: [BlobAddress]) {
        for address in candidates
        where fileIndex.mentions(of: address).isEmpty && uploads[address] == nil {
            transfers.forget(address)
            wholeBlobs.remove(address)
            cancelledBlobs.remove(address.root)
            do throws(StoreError) {
                try blobStorage.remove(address.root)
            } catch {
                note(.notErased(error))
            }
        }
    }

    // MARK: - Cancelling

    /// Stops fetching a file; what is here stays.
    ///
    /// - Throws: `file_not_found`, `invalid_operation` for one that is here, `disk_full`, `storage_failed`.
    public mutating func cancel(_ address: BlobAddress, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try checkThatItIsLacking(address)
        try setCancelled(true, address)
        transfers.halt(address, .cancelled)
        show(.file(address))
        planWake()
    }

    /// Fetches a file that was cancelled or could not be written, or looks again for somebody who has it.
    ///
    /// - Throws: as ``cancel(_:at:)``.
    public mutating func fetch(_ address: BlobAddress, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try checkThatItIsLacking(address)
        try setCancelled(false, address)
        perform(transfers.resume(address, at: now.sinceStart))
        show(.file(address))
        planWake()
    }

    private func checkThatItIsLacking(_ address: BlobAddress) throws(NodeError) {
        guard !fileIndex.mentions(of: address).isEmpty else {
            throw NodeError(.fileNotFound, "File not found")
        }
        guard !wholeBlobs.contains(address) else {
            throw NodeError(.invalidOperation, "The file is here already")
        }
    }

    private mutating func setCancelled(_ isCancelled: Bool, _ address: BlobAddress) throws(NodeError) {
        guard cancelledBlobs.contains(address.root) != isCancelled else { return }
        do throws(StoreError) {
            try blobStorage.setCancelled(isCancelled, address.root)
        } catch {
            throw NodeError(error)
        }
        if isCancelled { cancelledBlobs.insert(address.root) } else { cancelledBlobs.remove(address.root) }
    }
}
