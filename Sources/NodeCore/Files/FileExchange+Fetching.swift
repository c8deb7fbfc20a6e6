import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Fetches files from those who have a part of them.
extension FileExchange {
    /// Things that name a blob of which one is looked for that a peer may read.
    static let maximumMentionsTried = 64

    // MARK: - Asking

    /// Learns that a peer may have a blob, if it may read something that names it.
    private mutating func meet(_ handle: PeerHandle, for address: BlobAddress, _ context: inout NodeContext) {
        guard let device = context.links[handle]?.identity?.device,
            !mentions(of: address, readableBy: handle, atMost: 1, &context).isEmpty
        else { return }
        perform(
            transfers.meet(device.id, of: device.user, for: address, at: context.now.sinceStart), &context)
    }

    /// Looks for a blob at everybody who is connected and may have it.
    mutating func look(for address: BlobAddress, _ context: inout NodeContext) {
        show(address)
        for peer in context.links.keys.sorted() { meet(peer, for: address, &context) }
        planWake()
    }

    /// Learns that a conversation is shared with a peer, or that its members changed.
    mutating func meet(_ handle: PeerHandle, in conversation: ConversationID, _ context: inout NodeContext) {
        for address in transfers.addresses
        where index.mentions(of: address).contains(where: { $0.conversation == conversation }) {
            meet(handle, for: address, &context)
        }
        planWake()
    }

    /// Learns that a peer has said who it is: it may have photos of people.
    mutating func meetForCards(_ handle: PeerHandle, _ context: inout NodeContext) {
        for address in transfers.addresses
        where index.mentions(of: address).contains(where: { $0.conversation == nil }) {
            meet(handle, for: address, &context)
        }
    }

    /// Learns that a device is not connected any more.
    mutating func lose(_ device: DeviceID, _ context: inout NodeContext) {
        service.lose(device)
        let offers = transfers.offers(of: device)
        perform(transfers.lose(device, at: context.now.sinceStart), &context)
        for address in offers.sorted() { show(address) }
        releaseWhatNobodyGives(at: context.now)
    }

    mutating func perform(_ wishes: [BlobTransfers.Effect], _ context: inout NodeContext) {
        var wishes = wishes
        var done = 0
        // A blob for which there is no room makes room in a peer's window for others.
        while done < wishes.count {
            switch wishes[done] {
            case .ask(let device, let address, let attempt):
                if let handle = context.handle(of: device) { ask(handle, about: address, attempt: attempt, &context) }
            case .request(let device, let address, let indices):
                if let handle = context.handle(of: device), case .fetching? = transfers.state(of: address) {
                    wishes += request(indices, of: address, from: handle, context)
                }
            }
            done += 1
        }
    }

    /// Asks by one of the things that name the blob: each time by another one, for not everybody has all of them.
    private mutating func ask(
        _ peer: PeerHandle, about address: BlobAddress, attempt: Int, _ context: inout NodeContext
    ) {
        let readable = mentions(
            of: address, readableBy: peer, atMost: attempt % Self.maximumMentionsTried + 1, &context)
        guard !readable.isEmpty else { return }
        let mention = readable[attempt % readable.count]
        switch mention.namer {
        case .operation(let operation, let conversation):
            let lane: Lane = mention.readers == .members ? .membership : .content
            replicate(.saying(.blobWanted(operation), of: conversation, lane: lane, to: [peer]))
        case .card(let user):
            send(.photoWanted(user), to: peer)
        }
    }

    private mutating func request(
        _ indices: [Int], of address: BlobAddress, from peer: PeerHandle, _ context: NodeContext
    ) -> [BlobTransfers.Effect] {
        // A full disk must cost the network nothing.
        guard let claimant = fittingClaimant(of: address, context) else {
            offer(address)
            return transfers.plan(at: context.now.sinceStart)
        }
        do throws(StoreError) {
            try storage.reserve(address)
        } catch {
            return failed(address, error, at: context.now)
        }
        quotas.reserve(address, for: claimant)
        requests.append(.effect(.fetching(peer, address)))
        send(.chunksWanted(address.root, indices), to: peer)
        return []
    }

    private mutating func failed(
        _ address: BlobAddress, _ error: StoreError, at now: Instant
    ) -> [BlobTransfers.Effect] {
        // Said once, not with every attempt.
        if errors.updateValue(error, forKey: address) != error { note(.notStored(NodeError(error))) }
        let others = transfers.fail(address, at: now.sinceStart)
        show(address)
        planWake()
        return others
    }

    // MARK: - Who may read

    /// The first mentions of a blob that a peer may read, among not too many.
    private func mentions(
        of address: BlobAddress, readableBy peer: PeerHandle, atMost limit: Int, _ context: inout NodeContext
    ) -> [FileIndex.Mention] {
        var readable: [FileIndex.Mention] = []
        for mention in index.mentions(of: address, atMost: Self.maximumMentionsTried)
        where mayRead(mention, peer, &context) {
            readable.append(mention)
            if readable.count == limit { break }
        }
        return readable
    }

    func mayRead(_ mention: FileIndex.Mention, _ handle: PeerHandle, _ context: inout NodeContext) -> Bool {
        guard let device = context.links[handle]?.identity?.device else { return false }
        guard let conversation = mention.conversation else { return true }
        guard context.replicas[conversation]?.group.isMember(device.user) == true else { return false }
        switch mention.readers {
        case .everybody, .members: return true
        case .view(let heads):
            // As bodies: what is for one device of a user is served to all of theirs. In place: a copy of the replica
            // would cost more than the view.
            return context.replicas[conversation]?.view(at: heads)?.contains(device.user) == true
        }
    }

    // MARK: - Taking in

    /// Takes in which chunks a peer says it has.
    mutating func learn(_ bits: [UInt8], of root: Digest, from peer: PeerHandle, _ context: inout NodeContext) {
        guard let device = context.links[peer]?.identity?.device.id,
            let address = transfers.address(of: root)
        else { return }
        guard let chunks = ChunkSet(bytes: bits, of: address) else {
            return replicate(.offended(peer, reason: "chunks of another blob"))
        }
        perform(transfers.learn(chunks, of: address, from: device, at: context.now.sinceStart), &context)
        show(address)
        planWake()
    }

    /// Verifies a chunk and writes it down if it is lacking; whoever sent a wrong one is turned away.
    mutating func take(
        _ bytes: [UInt8], of root: Digest, from peer: PeerHandle, verified: Result<BlobChunk, MalformedBytes>?,
        _ context: inout NodeContext
    ) {
        let now = context.now.sinceStart
        guard let device = context.links[peer]?.identity?.device.id,
            let address = transfers.address(of: root)
        else { return }
        // What was not asked for is not worth verifying: nobody decides for others what they fetch.
        guard verified != nil || transfers.isAsked(device, for: address) else { return }
        let chunk: BlobChunk
        do throws(MalformedBytes) {
            chunk = if let verified { try verified.get() } else { try BlobChunk(verifying: bytes, of: address) }
        } catch {
            // Whoever has a chunk verified it when it came, and when they read it.
            note(.chunkRefused(error))
            return replicate(.offended(peer, reason: "a wrong chunk: \(error)"))
        }
        guard chunk.address == address else { return }
        guard transfers.lacks(chunk, from: device) else {
            return perform(transfers.take(chunk, from: device, isHeld: false, at: now), &context)
        }
        do throws(StoreError) {
            try storage.save(chunk)
        } catch {
            return perform(failed(address, error, at: context.now), &context)
        }
        errors[address] = nil
        perform(transfers.take(chunk, from: device, isHeld: true, at: now), &context)
        gained(address, context)
    }

    private mutating func gained(_ address: BlobAddress, _ context: NodeContext) {
        let held = held(of: address)
        if held.isWhole {
            whole.insert(address)
            transfers.forget(address)
            noLongerSought(address, at: context.now)
            do throws(StoreError) {
                try storage.finish(address)
            } catch {
                // It is verified again at the next start.
                note(.notStored(NodeError(error)))
            }
        }
        tell(service.listeners(to: address, now: held), address, held, context)
        show(address)
        planWake()
    }
}
