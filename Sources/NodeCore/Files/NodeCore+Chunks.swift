import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication

/// Fetches files from those who have a part of them, and serves them to those who may read what names them.
extension NodeCore {
    // MARK: - Asking

    /// Learns that a peer may have a blob, if it may read an operation that names it.
    mutating func meet(_ handle: PeerHandle, for address: BlobAddress) {
        guard let device = links[handle]?.identity?.device.id, mention(of: address, readableBy: handle) != nil else {
            return
        }
        perform(transfers.meet(device, for: address, at: now.sinceStart))
    }

    /// Learns that a conversation is shared with a peer.
    mutating func meet(_ handle: PeerHandle, in conversation: ConversationID) {
        for address in fileIndex.addresses(in: conversation).sorted() where transfers.state(of: address) != nil {
            meet(handle, for: address)
        }
        planWake()
    }

    /// Asks others for what did not come.
    mutating func fetchFiles() {
        if transfers.nextTick.map({ $0 <= now.sinceStart }) == true { perform(transfers.tick(at: now.sinceStart)) }
        retryFiles()
        expireUploads()
    }

    mutating func perform(_ wishes: [BlobTransfers.Effect]) {
        for wish in wishes {
            switch wish {
            case .ask(let device, let address):
                guard let handle = handle(of: device), let mention = mention(of: address, readableBy: handle) else {
                    continue
                }
                switch mention.namer {
                case .operation(let operation, let conversation):
                    let lane: Lane = mention.readers == .members ? .membership : .content
                    replicate(.blobWanted(handle, conversation, lane, operation))
                case .card(let user):
                    effects.append(.send(handle, PeerMessage.photoWanted(user).encoded, .live))
                }
            case .request(let device, let address, let indices):
                guard let handle = handle(of: device), isRoomReserved(for: address) else { continue }
                effects.append(.fetching(handle, address))
                effects.append(.send(handle, PeerMessage.chunksWanted(address.root, indices).encoded, .live))
            }
        }
    }

    /// Sees to it that a blob's chunks have where to go before they are asked for: a full disk must cost the network nothing.
    private mutating func isRoomReserved(for address: BlobAddress) -> Bool {
        do throws(StoreError) {
            try blobStorage.reserve(address)
            return true
        } catch {
            failed(address, error)
            return false
        }
    }

    private mutating func failed(_ address: BlobAddress, _ error: StoreError) {
        // Said once, not with every attempt.
        if fileTroubles.updateValue(error, forKey: address) != error { note(.notStored(NodeError(error))) }
        transfers.fail(address, at: now.sinceStart)
        show(.file(address))
        planWake()
    }

    private func handle(of device: DeviceID) -> PeerHandle? {
        links.first { $0.value.identity?.device.id == device }?.key
    }

    /// An operation that names a blob and that a peer may read.
    private mutating func mention(of address: BlobAddress, readableBy handle: PeerHandle) -> FileIndex.Mention? {
        for mention in fileIndex.mentions(of: address) where mayRead(mention, handle) { return mention }
        return nil
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

    /// Lets chunks be sent to a peer that may ask for them.
    mutating func findChunks(_ indices: [Int], of root: Digest, for peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device.id,
            let address = blobService.address(root, for: device)
        else { return }
        let held = held(of: address)
        let present = indices.filter(held.contains)
        // What was said to be here may be gone: a blob goes with the last thing that names it.
        if present.count < indices.count { tell(peer, address, held) }
        guard blobService.enqueue(present, of: address, for: device) else {
            return replicate(.offended(peer, reason: "more chunks than one may wait for"))
        }
        serveChunks(to: peer)
    }

    /// Lets what a peer waits for be read and sent, as far as its connection has room.
    mutating func serveChunks(to peer: PeerHandle) {
        guard let device = links[peer]?.identity?.device.id else { return }
        while let (address, index) = blobService.next(for: device) {
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
        for device in blobService.listeners(to: address) {
            if let handle = handle(of: device) { tell(handle, address, held) }
        }
        show(.file(address))
        for peer in links.keys.sorted() { meet(peer, for: address) }
        planWake()
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
        guard transfers.lacks(chunk) else {
            return perform(transfers.take(chunk, from: device, at: now.sinceStart))
        }
        do throws(StoreError) {
            try blobStorage.save(chunk)
        } catch {
            return failed(address, error)
        }
        fileTroubles[address] = nil
        perform(transfers.take(chunk, from: device, at: now.sinceStart))
        gained(address)
    }

    private mutating func gained(_ address: BlobAddress) {
        let held = held(of: address)
        if held.isWhole {
            wholeBlobs.insert(address)
            transfers.forget(address)
            do throws(StoreError) {
                try blobStorage.finish(address)
            } catch {
                // It is verified again at the next start.
                note(.notStored(NodeError(error)))
            }
        }
        for device in blobService.listeners(to: address, now: held) {
            if let handle = handle(of: device) { tell(handle, address, held) }
        }
        show(.file(address))
        planWake()
    }
}
