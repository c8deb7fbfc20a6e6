import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication

/// Which files there are, which are wanted, and which may go.
///
/// A file is wanted as soon as something names it that opens here, so that it is there for others when its sender is gone; only offered, and
/// fetched when the user asks for it, if a blocked person sent it, if the group has not been accepted, or if its author's files take more than
/// their share. It goes when nothing names it any more.
extension NodeCore {
    /// How long a file that was put in may wait for the message that carries it.
    static let uploadLife: Duration = .seconds(3_600)

    // MARK: - Looking

    /// The files that messages of a conversation carry and that can be opened here, with those messages, in the order of their arrival.
    public func files(
        in conversation: ConversationID
    ) throws(StoreError) -> [(message: OperationID, file: Attachment)] {
        try storage.files(in: conversation).compactMap { entry in
            let mentions = fileIndex.mentions(by: .operation(entry.operation.id, in: conversation))
            guard let mention = mentions.first, let message = mention.message, let file = mention.file else {
                return nil
            }
            return (message, file)
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
            case .halted(.offered): .offered
            case .halted(.disk): .failed(fileTroubles[address] ?? .diskFull)
            case .waiting, nil: .waiting
            }
        return FileState(phase: phase, chunks: held, of: count)
    }

    /// The blobs that operations name.
    public var blobs: [BlobAddress] { fileIndex.addresses }

    /// The file that a blob is, or is the thumbnail of, as the first message says that carries it, else as whatever names it; nil if nothing does
    /// that can be read here.
    public func file(of address: BlobAddress) -> NamedFile? {
        let mentions = fileIndex.mentions(of: address)
        guard let mention = mentions.first(where: { $0.message != nil }) ?? mentions.first else { return nil }
        // What names a photo names the picture first, then its thumbnail.
        let parts = fileIndex.mentions(by: mention.namer)
        return NamedFile(
            conversation: mention.conversation, operation: mention.operation, message: mention.message,
            name: mention.name,
            reference: (parts.first ?? mention).reference, thumbnail: parts.dropFirst().first?.reference)
    }

    /// Whether a file was put in and waits to be named.
    public func isUpload(_ address: BlobAddress) -> Bool { uploads[address] != nil }

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

    /// What is said to open a blob, by everybody who names it, in the order in which that became known. One of them may lie about the key.
    public func references(to address: BlobAddress) -> [(reference: BlobReference, name: String)] {
        fileIndex.mentions(of: address).map { ($0.reference, $0.name) }
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

    /// Wants a blob that something names, or takes it for whole if it is.
    mutating func want(_ address: BlobAddress) throws(StoreError) {
        uploads[address] = nil
        guard !wholeBlobs.contains(address), transfers.state(of: address) == nil else { return }
        let held = try blobStorage.chunks(of: address)
        claim(address)
        guard !held.isWhole else {
            wholeBlobs.insert(address)
            return
        }
        transfers.want(address, holding: held, halted: halt(of: address, holding: held))
        show(.file(address))
        for peer in links.keys.sorted() { meet(peer, for: address) }
        planWake()
    }

    private func halt(of address: BlobAddress, holding held: ChunkSet) -> BlobTransfers.Halt? {
        if cancelledBlobs.contains(address.root) { return .cancelled }
        guard isWelcome(address) else { return .offered }
        // What was begun goes on.
        return held.count > 0 || fileShares.fits(address, quota: blobStorage.quota) ? nil : .offered
    }

    /// Whether somebody names a blob whom the user has not blocked, in a conversation that is his.
    private func isWelcome(_ address: BlobAddress) -> Bool {
        fileIndex.mentions(of: address).contains { mention in
            !isBlocked(mention.author)
                && mention.conversation.flatMap { replicas[$0] }.map { !awaitsConsent($0) } ?? true
        }
    }

    /// Counts a blob as its author's, if others may not send as much as they like.
    private mutating func claim(_ address: BlobAddress) {
        guard let mention = fileIndex.mentions(of: address).first, mention.author != me else { return }
        fileShares.claim(address, for: mention.conversation == nil ? .cards : .author(mention.author))
    }

    /// Fetches what was only offered and is welcome now, and fetches no longer what is not.
    mutating func reconsiderFiles() {
        for address in transfers.addresses {
            switch transfers.state(of: address) {
            case .halted(.offered)
            where isWelcome(address) && fileShares.fits(address, quota: blobStorage.quota):
                perform(transfers.resume(address, at: now.sinceStart))
            case .fetching where !isWelcome(address), .waiting where !isWelcome(address):
                transfers.offer(address)
            case .halted, .fetching, .waiting, nil: continue
            }
            show(.file(address))
        }
        planWake()
    }

    /// Erases blobs that nobody names.
    mutating func collect(_ candidates: [BlobAddress]) {
        for address in candidates where !fileIndex.names(address) && uploads[address] == nil {
            transfers.forget(address)
            fileShares.release(address)
            fileTroubles[address] = nil
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

    /// Stops fetching a file; what is here stays, so that it can go on from there.
    ///
    /// - Throws: `file_not_found`, `invalid_operation` for one that is here, `disk_full`, `storage_failed`.
    public mutating func cancel(_ address: BlobAddress, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try checkThatItIsLacking(address)
        try setCancelled(true, address)
        transfers.cancel(address)
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
        do throws(StoreError) {
            try want(address)
        } catch {
            throw NodeError(error)
        }
        fileTroubles[address] = nil
        perform(transfers.resume(address, at: now.sinceStart))
        show(.file(address))
        planWake()
    }

    private func checkThatItIsLacking(_ address: BlobAddress) throws(NodeError) {
        guard fileIndex.names(address) else {
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
