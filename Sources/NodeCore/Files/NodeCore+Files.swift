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
    /// Keys that are tried on one blob.
    private static let keyLimit = 64

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

    /// What opens a blob, and what it is called: of all that name it the first whose key opens its first chunk, for one of them may lie about the
    /// key. Of a blob that is not here, what the first says.
    public func opening(_ address: BlobAddress) -> (reference: BlobReference, name: String?)? {
        if let upload = uploads[address] { return (upload.reference, nil) }
        let mentions = fileIndex.mentions(of: address)
        guard let first = mentions.first else { return nil }
        if mentions.allSatisfy({ $0.reference.key == first.reference.key }) { return (first.reference, first.name) }
        guard let chunk = try? blobStorage.chunk(0, of: address) else { return (first.reference, first.name) }
        var tried: Set<BlobKey> = []
        for mention in mentions
        where tried.count < Self.keyLimit && tried.insert(mention.reference.key).inserted {
            if (try? mention.reference.key.open(chunk)) != nil { return (mention.reference, mention.name) }
        }
        return (first.reference, first.name)
    }

    /// Forgets files that were put in and never sent.
    mutating func expireUploads() {
        for (address, upload) in uploads where now - upload.since >= Self.uploadLife {
            uploads[address] = nil
            collect([address])
        }
    }

    // MARK: - Wanting

    /// Wants a blob that something names, or takes it for whole if it is. One that is wanted already is looked for at more places.
    mutating func want(_ address: BlobAddress) throws(StoreError) {
        // Not when somebody else names it, who may know it and not its key.
        if let upload = uploads[address],
            fileIndex.mentions(of: address).contains(where: { $0.reference == upload.reference })
        {
            uploads[address] = nil
        }
        guard !wholeBlobs.contains(address) else { return }
        if let state = transfers.state(of: address) {
            if state == .halted(.offered), isFetchedUnasked(address) {
                perform(transfers.resume([address], at: now.sinceStart))
            }
        } else {
            let held = try blobStorage.chunks(of: address)
            if held.count > 0, let mention = fileIndex.mentions(of: address).first {
                fileShares.claim(address, for: claimant(of: mention))
            }
            guard !held.isWhole else {
                wholeBlobs.insert(address)
                return
            }
            transfers.want(address, holding: held, halted: halt(of: address))
        }
        look(for: address)
    }

    private mutating func halt(of address: BlobAddress) -> BlobTransfers.Halt? {
        if cancelledBlobs.contains(address.root) { return .cancelled }
        return isFetchedUnasked(address) ? nil : .offered
    }

    /// Whether a blob is to be fetched, and not only when the user asks for it: from then on it counts as looked for.
    private mutating func isFetchedUnasked(_ address: BlobAddress) -> Bool {
        guard let mention = fileIndex.mentions(of: address).first(where: isWelcome), fittingClaimant(of: address) != nil
        else { return false }
        return mention.author == me || fileShares.seek(address, of: mention.author)
    }

    /// Whether the user has not blocked whoever names a blob, and where he names it is the user's.
    private func isWelcome(_ mention: FileIndex.Mention) -> Bool {
        guard let conversation = mention.conversation else { return !isBlocked(mention.author) }
        return !isBlocked(mention.author) && replicas[conversation].map { !awaitsConsent($0) } ?? false
    }

    private func claimant(of mention: FileIndex.Mention) -> FileShares.Claimant {
        if mention.author == me || wishedFiles.contains(mention.reference.address) { return .user }
        return mention.conversation == nil ? .cards : .author(mention.author)
    }

    /// Who answers for a blob and has room for it: whoever it is counted for already, the user, or somebody welcome; nil if nobody does.
    func fittingClaimant(of address: BlobAddress) -> FileShares.Claimant? {
        if wishedFiles.contains(address) { return .user }
        for mention in fileIndex.mentions(of: address) where isWelcome(mention) {
            let claimant = claimant(of: mention)
            if fileShares.isClaimed(address) || fileShares.fits(address, of: claimant, quota: blobStorage.quota) {
                return claimant
            }
        }
        return nil
    }

    /// Fetches what was only offered and is to be fetched now, and fetches no longer what is not welcome.
    mutating func reconsiderFiles() {
        reconsidersFilesAt = nil
        var resumed: [BlobAddress] = []
        for address in transfers.addresses {
            switch transfers.state(of: address) {
            case .halted(.offered):
                guard isFetchedUnasked(address) else { continue }
                resumed.append(address)
            case .fetching, .waiting:
                guard fittingClaimant(of: address) == nil else { continue }
                transfers.offer(address)
                fileShares.stopSeeking(address)
            case .halted, nil: continue
            }
            show(.file(address))
        }
        if !resumed.isEmpty { perform(transfers.resume(resumed, at: now.sinceStart)) }
        planWake()
    }

    /// Erases blobs that nobody names.
    mutating func collect(_ candidates: [BlobAddress]) {
        for address in candidates where !fileIndex.names(address) && uploads[address] == nil {
            transfers.forget(address)
            fileShares.release(address)
            fileTroubles[address] = nil
            wishedFiles.remove(address)
            wholeBlobs.remove(address)
            cancelledBlobs.remove(address.root)
            noLongerSought(address)
            do throws(StoreError) {
                try blobStorage.remove(address.root)
            } catch {
                note(.notErased(error))
            }
        }
    }

    /// Notes that a blob makes room for others that are only offered: they are thought of soon, together.
    mutating func noLongerSought(_ address: BlobAddress) {
        fileShares.stopSeeking(address)
        guard reconsidersFilesAt == nil else { return }
        reconsidersFilesAt = now + .seconds(1)
        planWake()
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
        wishedFiles.insert(address)
        do throws(StoreError) {
            try want(address)
        } catch {
            throw NodeError(error)
        }
        fileTroubles[address] = nil
        perform(transfers.resume([address], at: now.sinceStart))
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
