import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication

/// Fetches files from those who have a part of them, and serves them to those who may read what names them.
extension NodeCore {
    // MARK: - Asking

    /// Things that name a blob of which one is looked for that a peer may read.
    private static let mentionLimit = 64

    /// Learns that a peer may have a blob, if it may read something that names it.
    mutating func meet(_ handle: PeerHandle, for address: BlobAddress) {
        guard let device = links[handle]?.identity?.device.id,
            !mentions(of: address, readableBy: handle, atMost: 1).isEmpty
        else { return }
        perform(transfers.meet(device, for: address, at: now.sinceStart))
    }

    /// Looks for a blob at everybody who is connected and may have it.
    mutating func look(for address: BlobAddress) {
        show(.file(address))
        for peer in links.keys.sorted() { meet(peer, for: address) }
        planWake()
    }

    /// Learns that a conversation is shared with a peer, or that its members changed.
    mutating func meet(_ handle: PeerHandle, in conversation: ConversationID) {
        for address in transfers.addresses
        where fileIndex.mentions(of: address).contains(where: { $0.conversation == conversation }) {
            meet(handle, for: address)
        }
        planWake()
    }

    /// Asks others for what did not come.
    mutating func fetchFiles() {
        if transfers.nextTick.map({ $0 <= now.sinceStart }) == true { perform(transfers.tick(at: now.sinceStart)) }
        if let moment = reconsidersFilesAt, moment <= now { reconsiderFiles() }
        retryFiles()
        expireUploads()
    }

    mutating func perform(_ wishes: [BlobTransfers.Effect]) {
        var wishes = wishes
        var done = 0
        // A blob for which there is no room makes room in a peer's window for others.
        while done < wishes.count {
            switch wishes[done] {
            case .ask(let device, let address, let attempt):
                if let handle = handle(of: device) { ask(handle, about: address, attempt: attempt) }
            case .request(let device, let address, let indices):
                if let handle = handle(of: device), case .fetching? = transfers.state(of: address) {
                    wishes += request(indices, of: address, from: handle)
                }
            }
            done += 1
        }
    }

    /// Asks by one of the things that name the blob: each time by another one, for not everybody has all of them.
    private mutating func ask(_ peer: PeerHandle, about address: BlobAddress, attempt: Int) {
        let readable = mentions(of: address, readableBy: peer, atMost: attempt % Self.mentionLimit + 1)
        guard !readable.isEmpty else { return }
        let mention = readable[attempt % readable.count]
        switch mention.namer {
        case .operation(let operation, let conversation):
            let lane: Lane = mention.readers == .members ? .membership : .content
            replicate(.blobWanted(peer, conversation, lane, operation))
        case .card(let user):
            effects.append(.send(peer, PeerMessage.photoWanted(user).encoded, .live))
        }
    }

    private mutating func request(
        _ indices: [Int], of address: BlobAddress, from peer: PeerHandle
    ) -> [BlobTransfers.Effect] {
        // A full disk must cost the network nothing.
        guard let claimant = fittingClaimant(of: address) else {
            transfers.offer(address)
            fileShares.stopSeeking(address)
            show(.file(address))
            return transfers.plan(at: now.sinceStart)
        }
        do throws(StoreError) {
            try blobStorage.reserve(address)
        } catch {
            return failed(address, error)
        }
        fileShares.claim(address, for: claimant)
        effects.append(.fetching(peer, address))
        effects.append(.send(peer, PeerMessage.chunksWanted(address.root, indices).encoded, .live))
        return []
    }

    private mutating func failed(_ address: BlobAddress, _ error: StoreError) -> [BlobTransfers.Effect] {
        // Said once, not with every attempt.
        if fileTroubles.updateValue(error, forKey: address) != error { note(.notStored(NodeError(error))) }
        let others = transfers.fail(address, at: now.sinceStart)
        show(.file(address))
        planWake()
        return others
    }

    private func handle(of device: DeviceID) -> PeerHandle? {
        links.first { $0.value.identity?.device.id == device }?.key
    }

    /// The first mentions of a blob that a peer may read, among not too many.
    private mutating func mentions(
        of address: BlobAddress, readableBy peer: PeerHandle, atMost limit: Int
    ) -> [FileIndex.Mention] {
        var readable: [FileIndex.Mention] = []
        for mention in fileIndex.mentions(of: address).prefix(Self.mentionLimit) where mayRead(mention, peer) {
            readable.append(mention)
            if readable.count == limit { break }
        }
        return readable
    }

    private mutating func mayRead(_ mention: FileIndex.Mention, _ handle: PeerHandle) -> Bool {
        guard let device = links[handle]?.identity?.device else { return false }
        guard let conversation = mention.conversation else { return true }
        guard replicas[conversation]?.group.isMember(device.user) == true else { return false }
        switch mention.readers {
        case .everybody, .members: return true
        case .view(let heads):
            // In place: a copy of the replica would cost more than the view.
            return replicas[conversation]?.view(at: heads)?.contains(device.id) == true
        }
    }

    // MARK: - Serving

    /// Tells a peer what is here of the blobs that something names, if he may read that.
    mutating func findBlobs(namedBy namer: FileIndex.Namer, for peer: PeerHandle) {
        // What is not here yet he asks for again.
        for mention in fileIndex.mentions(by: namer) where mayRead(mention, peer) {
            guard let device = links[peer]?.identity?.device.id else { return }
            let address = mention.reference.address
            let held = held(of: address)
            blobService.admit(device, to: address, told: held.count)
            tell(peer, address, held)
        }
    }

    private func held(of address: BlobAddress) -> ChunkSet {
        wholeBlobs.contains(address) ? .whole(address) : transfers.held(of: address) ?? ChunkSet(of: address)
    }

    private mutating func tell(_ peer: PeerHandle, _ address: BlobAddress, _ held: ChunkSet) {
        effects.append(.send(peer, PeerMessage.blobHeld(address.root, held.bytes).encoded, .live))
    }

    private mutating func tell(_ devices: [DeviceID], _ address: BlobAddress, _ held: ChunkSet) {
        for device in devices {
            if let handle = handle(of: device) { tell(handle, address, held) }
        }
    }

    /// Lets chunks be sent to a peer that may ask for them.
    mutating func findChunks(_ indices: [Int], of root: Digest, for peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device.id,
            let address = blobService.address(root, for: device)
        else { return }
        let held = held(of: address)
        let present = indices.filter(held.contains)
        // What was said to be here may be gone: a blob goes with the last thing that names it.
        if present.count < indices.count { tell(peer, address, held) }
        blobService.enqueue(present, of: address, for: device)
        serveChunks(to: peer)
    }

    /// Lets what a peer waits for be read and sent, as far as its connection has room.
    mutating func serveChunks(to peer: PeerHandle) {
        guard let link = links[peer], let device = link.identity?.device.id else { return }
        // A stranger's connection has room for a few.
        let limit = link.isStranger ? 1 : BlobService.readLimit
        while let (address, index) = blobService.next(for: device, reading: limit) {
            effects.append(.sendChunk(peer, address, index))
        }
    }

    /// Notes that a chunk was read for a peer, and sent to him if it was there.
    public mutating func served(_ peer: PeerHandle, at moment: Moment) {
        self.moment = moment
        guard let device = links[peer]?.identity?.device.id else { return }
        blobService.read(for: device)
        serveChunks(to: peer)
    }

    /// Notes that a chunk that should be here is not, or is not what it was: it is fetched again, and whoever counts on this node for the blob
    /// is told.
    public mutating func missed(_ address: BlobAddress, at moment: Moment) {
        self.moment = moment
        guard wholeBlobs.contains(address) else { return }
        let held: ChunkSet
        do throws(StoreError) {
            try blobStorage.doubt(address)
            held = try blobStorage.chunks(of: address)
            guard !held.isWhole else { return try blobStorage.finish(address) }
        } catch {
            // Nothing can be read now, so nobody can tell what is lacking.
            return note(.notJudged(error))
        }
        wholeBlobs.remove(address)
        transfers.want(address, holding: held)
        tell(blobService.listeners(to: address), address, held)
        look(for: address)
    }

    // MARK: - Taking in

    /// Takes in what a peer says it has.
    mutating func learn(_ bits: [UInt8], of root: Digest, from peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device.id,
            let address = transfers.address(of: root)
        else { return }
        guard let chunks = ChunkSet(bytes: bits, of: address) else {
            return replicate(.offended(peer, reason: "chunks of another blob"))
        }
        perform(transfers.learn(chunks, of: address, from: device, at: now.sinceStart))
        show(.file(address))
        planWake()
    }

    /// Verifies a chunk and writes it down if it is lacking; whoever sent a wrong one is turned away.
    mutating func take(_ bytes: [UInt8], of root: Digest, from peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device.id,
            let address = transfers.address(of: root)
        else { return }
        // What was not asked for is not worth verifying: nobody decides for others what they fetch.
        guard preparedChunk != nil || transfers.isAsked(device, for: address) else { return }
        let chunk: BlobChunk
        do throws(MalformedBytes) {
            chunk =
                if let preparedChunk { try preparedChunk.get() } else { try BlobChunk(verifying: bytes, of: address) }
        } catch {
            // Whoever has a chunk verified it when it came, and when he read it.
            note(.chunkRefused(error))
            return replicate(.offended(peer, reason: "a wrong chunk: \(error)"))
        }
        guard chunk.address == address else { return }
        guard transfers.lacks(chunk, from: device) else {
            return perform(transfers.take(chunk, from: device, isHeld: false, at: now.sinceStart))
        }
        do throws(StoreError) {
            try blobStorage.save(chunk)
        } catch {
            return perform(failed(address, error))
        }
        fileTroubles[address] = nil
        perform(transfers.take(chunk, from: device, isHeld: true, at: now.sinceStart))
        gained(address)
    }

    private mutating func gained(_ address: BlobAddress) {
        let held = held(of: address)
        if held.isWhole {
            wholeBlobs.insert(address)
            transfers.forget(address)
            noLongerSought(address)
            do throws(StoreError) {
                try blobStorage.finish(address)
            } catch {
                // It is verified again at the next start.
                note(.notStored(NodeError(error)))
            }
        }
        tell(blobService.listeners(to: address, now: held), address, held)
        show(.file(address))
        planWake()
    }
}
