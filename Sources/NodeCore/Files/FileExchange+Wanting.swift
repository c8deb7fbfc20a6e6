import Blobs
import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Decides which blobs are fetched, and which may go.
extension FileExchange {
    // MARK: - Putting in

    /// Notes that all of a file was put into the storage, to be sent soon.
    mutating func take(upload reference: BlobReference, at now: Instant) {
        uploads[reference.address] = (reference, now)
        whole.insert(reference.address)
        transfers.forget(reference.address)
        offered.remove(reference.address)
    }

    /// Forgets files that were put in and never sent.
    mutating func expireUploads(at now: Instant) {
        for (address, upload) in uploads where now - upload.since >= Self.uploadLifetime {
            uploads[address] = nil
            collect([address], at: now)
        }
    }

    // MARK: - Wanting

    /// Wants a blob that something names, or takes it for whole if it is. One that is wanted already is looked for at
    /// more places.
    mutating func want(_ address: BlobAddress, _ context: inout NodeContext) throws(StoreError) {
        // Not when somebody else names it, who may know it and not its key.
        if let upload = uploads[address],
            index.mentions(of: address).contains(where: { $0.reference == upload.reference })
        {
            uploads[address] = nil
        }
        guard !whole.contains(address) else { return }
        if transfers.state(of: address) == nil {
            let held: ChunkSet
            if let known = offered[address] {
                held = known
            } else {
                held = try storage.chunks(of: address)
                if held.count > 0, let mention = index.mentions(of: address).first {
                    quotas.count(held.byteCount(of: address), of: address, for: claimant(of: mention, context))
                }
            }
            guard !held.isWhole else {
                whole.insert(address)
                return
            }
            let isCanceled = canceled.contains(address.root)
            guard isCanceled || isFetchedAutomatically(address, context) else {
                offered.insert(address, holding: held)
                return show(address)
            }
            offered.remove(address)
            transfers.want(address, holding: held, halted: isCanceled ? .canceled : nil)
        }
        noteNamers(of: address, at: context.now)
        look(for: address, &context)
    }

    /// Fetches a blob no longer, until the user asks for it or there is room.
    mutating func offer(_ address: BlobAddress) {
        guard let held = transfers.held(of: address) else { return }
        transfers.forget(address)
        offered.insert(address, holding: held)
        quotas.stopSeeking(address)
        show(address)
    }

    /// Notes in whose turns a blob is asked about.
    mutating func noteNamers(of address: BlobAddress, at now: Instant) {
        let mentions = index.mentions(of: address, atMost: Self.maximumMentionsTried)
        transfers.note(namers: Set(mentions.map(\.author)), of: address, at: now.sinceStart)
    }

    /// Whether a blob is to be fetched, and not only when the user asks for it: from then on it counts as looked for.
    private mutating func isFetchedAutomatically(_ address: BlobAddress, _ context: NodeContext) -> Bool {
        guard let claimant = fittingClaimant(of: address, context) else { return false }
        guard claimant != .user else { return true }
        // One author who may have no more files fetched does not keep a file back that another author attached, too.
        let mentions = index.mentions(of: address, atMost: Self.maximumMentionsTried)
        return mentions.contains { mention in
            isFetchAllowed(mention, context)
                && (mention.author == context.me || quotas.seek(address, of: mention.author))
        }
    }

    /// Whether the user has not blocked whoever names a blob, and where they name it is the user's.
    private func isFetchAllowed(_ mention: FileIndex.Mention, _ context: NodeContext) -> Bool {
        guard let conversation = mention.conversation else { return !context.isBlocked(mention.author) }
        return !context.isBlocked(mention.author)
            && context.replicas[conversation].map { !context.awaitsConsent($0) } ?? false
    }

    private func claimant(of mention: FileIndex.Mention, _ context: NodeContext) -> FileQuotas.Claimant {
        if mention.author == context.me || requested.contains(mention.reference.address) { return .user }
        return mention.conversation == nil ? .cards : .author(mention.author)
    }

    /// Whose quota a blob is counted in: the claimant that has it already, the user, or an author whose files are
    /// fetched automatically; nil if it fits into no quota.
    func fittingClaimant(of address: BlobAddress, _ context: NodeContext) -> FileQuotas.Claimant? {
        if requested.contains(address) { return .user }
        for mention in index.mentions(of: address, atMost: Self.maximumMentionsTried)
        where isFetchAllowed(mention, context) {
            let claimant = claimant(of: mention, context)
            if quotas.fits(address, of: claimant, quota: storage.quota) { return claimant }
        }
        return nil
    }

    /// Fetches what was only offered and is to be fetched now, and fetches no longer what is not welcome.
    mutating func reconsider(in context: inout NodeContext) {
        for address in transfers.addresses {
            switch transfers.state(of: address) {
            case .fetching, .waiting:
                if fittingClaimant(of: address, context) == nil { offer(address) }
            case .halted, nil: continue
            }
        }
        offered.considerAll(from: context.now)
        considerSome(in: &context)
    }

    /// Thinks again of some that are only offered; the others have their turn soon.
    mutating func considerSome(in context: inout NodeContext) {
        for address in offered.takeTurn(at: context.now) where isFetchedAutomatically(address, context) {
            guard let held = offered.remove(address) else { continue }
            transfers.want(address, holding: held)
            noteNamers(of: address, at: context.now)
            look(for: address, &context)
        }
        planWake()
    }

    // MARK: - Letting go

    /// Erases blobs that nobody names.
    mutating func collect(_ candidates: [BlobAddress], at now: Instant) {
        for address in candidates where !index.names(address) && uploads[address] == nil {
            transfers.forget(address)
            offered.remove(address)
            quotas.release(address)
            errors[address] = nil
            requested.remove(address)
            whole.remove(address)
            canceled.remove(address.root)
            noLongerSought(address, at: now)
            do throws(StoreError) {
                try storage.remove(address.root)
            } catch {
                note(.notErased(error))
            }
        }
    }

    /// Notes that a blob makes room for others that are only offered: they are thought of soon, together.
    mutating func noLongerSought(_ address: BlobAddress, at now: Instant) {
        quotas.stopSeeking(address)
        planReconsideration(at: now)
    }

    private mutating func planReconsideration(at now: Instant) {
        offered.considerAll(from: now + OfferedBlobs.delay)
        planWake()
    }

    /// Counts no more than what is here of blobs of which nobody gives the rest: who names much and gives a little of
    /// each takes no room from others.
    mutating func releaseWhatNobodyGives(at now: Instant) {
        for address in quotas.reserved where transfers.state(of: address) != .fetching {
            let held = held(of: address)
            quotas.keep(held.byteCount(of: address), of: address)
            guard !held.isWhole else { continue }
            storage.release(address, holding: held.count)
            planReconsideration(at: now)
        }
    }

    // MARK: - What the user says

    /// Stops fetching a file; what is here stays, so that it can go on from there.
    ///
    /// - Throws: `file_not_found`, `invalid_operation` for one that is here, `disk_full`, `storage_failed`.
    mutating func cancel(_ address: BlobAddress) throws(NodeError) {
        try requireLacking(address)
        try setCanceled(true, address)
        if let held = offered.remove(address) { transfers.want(address, holding: held) }
        transfers.cancel(address)
        show(address)
        planWake()
    }

    /// Fetches a file that was canceled or could not be written, or looks again for somebody who has it.
    ///
    /// - Throws: as ``cancel(_:)``.
    mutating func fetch(_ address: BlobAddress, in context: inout NodeContext) throws(NodeError) {
        try requireLacking(address)
        try setCanceled(false, address)
        requested.insert(address)
        let isKnown = transfers.state(of: address) != nil
        do throws(StoreError) {
            try want(address, &context)
        } catch {
            throw NodeError(error)
        }
        errors[address] = nil
        if isKnown { perform(transfers.resume([address], at: context.now.sinceStart), &context) }
        show(address)
        planWake()
    }

    private func requireLacking(_ address: BlobAddress) throws(NodeError) {
        guard index.names(address) else {
            throw NodeError(.fileNotFound, "File not found")
        }
        guard !whole.contains(address) else {
            throw NodeError(
                .invalidOperation, "The file is here already",
                hint: "Save it with: moot files CONVERSATION ID --save FOLDER")
        }
    }

    private mutating func setCanceled(_ isCanceled: Bool, _ address: BlobAddress) throws(NodeError) {
        guard canceled.contains(address.root) != isCanceled else { return }
        do throws(StoreError) {
            try storage.setCanceled(isCanceled, address.root)
        } catch {
            throw NodeError(error)
        }
        if isCanceled { canceled.insert(address.root) } else { canceled.remove(address.root) }
    }
}
