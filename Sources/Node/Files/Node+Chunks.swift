import BlobStore
import Blobs
import Conversations
import Dispatch
import NodeCore
import Replication
import Storage

extension Node {
    /// Reads a chunk off the node's queue, so that serving files delays nobody, and queues it on a connection.
    func send(chunk index: Int, of address: BlobAddress, to peer: PeerHandle) {
        guard let connection = connections[peer] else { return }
        let (blobs, queue) = (blobs, executor.queue)
        let isStranger = core.links[peer]?.isStranger ?? true
        reading.async { [weak self] in
            let chunk = Result { () throws(StoreError) in try blobs.chunk(index, of: address) }
            if case .success(let chunk?) = chunk {
                connection.send(
                    chunk: PeerMessage.files(.chunk(address.root, chunk.encoded)).encoded, isStranger: isStranger)
            }
            guard let self else { return }
            queue.async {
                self.assumeIsolated { node in
                    node.change { core, moment in
                        core.handle(.chunkServed(to: peer), at: moment)
                        // What cannot be read now may be there nevertheless.
                        if case .success(nil) = chunk { core.handle(.chunkMissing(address), at: moment) }
                    }
                }
            }
        }
    }
}
