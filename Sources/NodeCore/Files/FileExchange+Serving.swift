import Blobs
import Conversations
import Cryptography
import OperationLog
import Replication
import Storage

/// Gives files to those who may read what names them.
extension FileExchange {
    /// Tells a peer what is here of the blobs that something names, if it may read that.
    mutating func tellHeld(namedBy namer: FileIndex.Namer, to peer: PeerHandle, _ context: inout NodeContext) {
        // What is not here yet it asks for again.
        for mention in index.mentions(by: namer) where mayRead(mention, peer, &context) {
            guard let device = context.links[peer]?.identity?.device.id else { return }
            let address = mention.reference.address
            let held = held(of: address)
            service.admit(device, to: address, told: held.count)
            tell(peer, address, held)
        }
    }

    func held(of address: BlobAddress) -> ChunkSet {
        if whole.contains(address) { return .whole(address) }
        return transfers.held(of: address) ?? offered[address] ?? ChunkSet(of: address)
    }

    private mutating func tell(_ peer: PeerHandle, _ address: BlobAddress, _ held: ChunkSet) {
        send(.blobHeld(address.root, held.bytes), to: peer)
    }

    mutating func tell(_ devices: [DeviceID], _ address: BlobAddress, _ held: ChunkSet, _ context: NodeContext) {
        for device in devices {
            if let handle = context.handle(of: device) { tell(handle, address, held) }
        }
    }

    /// Lets chunks be sent to a peer that may ask for them.
    mutating func serve(_ indices: [Int], of root: Digest, to peer: PeerHandle, _ context: NodeContext) {
        guard let device = context.links[peer]?.identity?.device.id,
            let address = service.address(root, for: device)
        else { return }
        let held = held(of: address)
        let present = indices.filter(held.contains)
        // What was said to be here may be gone: a blob goes with the last thing that names it.
        if present.count < indices.count { tell(peer, address, held) }
        service.enqueue(present, of: address, for: device)
        serveChunks(to: peer, context)
    }

    /// Lets what a peer waits for be read and sent, as far as its connection has room.
    private mutating func serveChunks(to peer: PeerHandle, _ context: NodeContext) {
        guard let link = context.links[peer], let device = link.identity?.device.id else { return }
        // A stranger's connection has room for a few.
        let limit = link.isStranger ? 1 : BlobService.maximumReads
        while let (address, index) = service.next(for: device, reading: limit) {
            requests.append(.effect(.sendChunk(peer, address, index)))
        }
    }

    /// Notes that more or less than before waits to be sent to a peer.
    mutating func note(isCongested: Bool, of peer: PeerHandle, _ context: NodeContext) {
        guard let device = context.links[peer]?.identity?.device.id else { return }
        service.note(isCongested: isCongested, of: device)
        serveChunks(to: peer, context)
    }

    /// Notes that a chunk was read for a peer, and sent if it was there.
    mutating func chunkServed(to peer: PeerHandle, _ context: NodeContext) {
        guard let device = context.links[peer]?.identity?.device.id else { return }
        service.read(for: device)
        serveChunks(to: peer, context)
    }

    /// Fetches a chunk again that should be here and is not, or is not what it was. Whoever counts on this node for the
    /// blob is told.
    mutating func refetch(_ address: BlobAddress, _ context: inout NodeContext) {
        guard whole.contains(address) else { return }
        let held: ChunkSet
        do throws(StoreError) {
            try storage.markIncomplete(address)
            held = try storage.chunks(of: address)
            guard !held.isWhole else { return try storage.finish(address) }
        } catch {
            // Nothing can be read now, so nobody can tell what is lacking.
            return note(.notJudged(error))
        }
        whole.remove(address)
        transfers.want(address, holding: held)
        noteNamers(of: address, at: context.now)
        tell(service.listeners(to: address), address, held, context)
        look(for: address, &context)
    }
}
