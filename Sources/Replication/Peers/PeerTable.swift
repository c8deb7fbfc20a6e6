import OperationLog

/// The connected peers by their connections, in the order of those: what is known of one is looked at and changed in
/// place.
///
/// A peer is a large value, and each message asks about several of all peers. A dictionary would copy one out for each
/// question. Each has a box of its own: who keeps a copy of the table, to go back to it, causes only those to be copied
/// that change meanwhile.
///
/// - Complexity: O(log *n*) to find one of *n* peers, O(*n*) to add or to remove one.
struct PeerTable {
    /// The connections, older ones first.
    private(set) var handles: [PeerHandle] = []
    private var boxes: [Box] = []

    /// One peer. Nothing changes in it unless a single table holds it.
    private final class Box {
        /// Nil stands here only while a change takes a peer out.
        var peer: Replicator.Peer?

        init(_ peer: Replicator.Peer?) { self.peer = peer }
    }

    /// What is known of the peer of a connection; nil where there is none, or none any more.
    subscript(handle: PeerHandle) -> Replicator.Peer? {
        _read {
            if let index = index(of: handle) {
                yield boxes[index].peer
            } else {
                yield nil
            }
        }
        _modify {
            if let index = index(of: handle) {
                defer {
                    if boxes[index].peer == nil {
                        handles.remove(at: index)
                        boxes.remove(at: index)
                    }
                }
                if !isKnownUniquelyReferenced(&boxes[index]) { boxes[index] = Box(boxes[index].peer) }
                yield &boxes[index].peer
            } else {
                var peer: Replicator.Peer?
                defer { if let peer { insert(peer, at: handle) } }
                yield &peer
            }
        }
    }

    /// How many there are.
    var count: Int { handles.count }

    /// Whether there are none.
    var isEmpty: Bool { handles.isEmpty }

    /// Takes out the peer of a connection.
    mutating func removeValue(forKey handle: PeerHandle) -> Replicator.Peer? {
        defer { self[handle] = nil }
        return self[handle]
    }

    private mutating func insert(_ peer: Replicator.Peer, at handle: PeerHandle) {
        let place = place(of: handle)
        handles.insert(handle, at: place)
        boxes.insert(Box(peer), at: place)
    }

    private func index(of handle: PeerHandle) -> Int? {
        let place = place(of: handle)
        return place < handles.count && handles[place] == handle ? place : nil
    }

    /// Where a connection is, or would be.
    private func place(of handle: PeerHandle) -> Int { handles.insertionIndex { $0 < handle } }
}

extension PeerTable: Sequence {
    /// The connections with their peers, older connections first. Each peer is copied.
    func makeIterator() -> some IteratorProtocol<(key: PeerHandle, value: Replicator.Peer)> {
        zip(handles, boxes).lazy.compactMap { handle, box in box.peer.map { (key: handle, value: $0) } }.makeIterator()
    }
}
