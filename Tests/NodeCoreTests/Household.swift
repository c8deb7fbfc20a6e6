import Blobs
import Conversations
import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Nodes that talk to each other over wires which lose nothing: Alice's desk, Bob, and what else somebody links. Carol
/// is a member of what they make, and away.
struct Household {
    /// One end of a wire.
    private struct End: Hashable {
        let core: Int
        let handle: PeerHandle
    }

    private(set) var disks: [VirtualDisk] = []
    var cores: [NodeCore] = []
    private var wires: [End: End] = [:]
    private var wakes: [Int: Instant] = [:]
    private var random = SeededRandom(seed: 77)
    private var transcripts: UInt8 = 0
    /// What the nodes noted, by their number.
    private(set) var notes: [Int: [Diagnostic]] = [:]
    private(set) var now = Instant(sinceStart: .zero)
    /// What was sent since it was last forgotten.
    var sent: [(from: Int, to: Int, bytes: [UInt8])] = []
    /// What people who watch the nodes were told since it was last forgotten.
    var shown: [(core: Int, event: ClientEvent)] = []

    static let desk = 0
    static let bob = 1
    static let carol = 2

    /// - Parameter others: who else there is, from number 3 on.
    init(others: [String] = []) throws {
        for name in ["Alice", "Bob", "Carol"] + others {
            let root = SigningKey.generate(using: &random)
            let device = SigningKey.generate(using: &random)
            try add(
                NodeCore.Keys(
                    root: root, author: Author(user: UserID(root.verifyingKey), key: device),
                    channelKey: .generate(using: &random), sealing: .generate(using: &random)), called: name)
        }
    }

    /// The moment by both clocks.
    var moment: Moment {
        Moment(
            monotonic: now,
            wall: Timestamp(clamping: 1_800_000_000_000 + Int64((now - Instant(sinceStart: .zero)) / .milliseconds(1))))
    }

    private mutating func add(
        _ keys: NodeCore.Keys, on disk: VirtualDisk? = nil, called name: String, isNewDevice: Bool = false
    ) throws {
        let disk = disk ?? VirtualDisk(replicaEpoch: random.bytes(16))
        disks.append(disk)
        cores.append(
            try NodeCore(
                keys: keys, storage: disk, blobs: disk, names: [name], deviceName: "desk", staticPeers: [],
                isNewDevice: isNewDevice, random: SeededRandom(seed: random.next()), at: moment))
    }

    /// Another host becomes a device of a user, certified on one that holds the root; its number.
    ///
    /// - Parameter withRoot: whether it holds the root as well.
    mutating func link(to holder: Int, withRoot: Bool = false) throws -> Int {
        let (user, key) = (cores[holder].me, SigningKey.generate(using: &random))
        let author = Author(user: user, key: key)
        let wrapKey = AgreementKey.generate(using: &random)
        let introduction = try cores[holder].certify(
            key.verifyingKey, named: nil, wrap: WrapRecord(by: author, counter: 1, key: wrapKey.publicKey), at: moment)
        let keys = NodeCore.Keys(
            root: withRoot ? cores[holder].keys.root : nil, author: author, channelKey: .generate(using: &random),
            sealing: .generate(using: &random))
        let disk = VirtualDisk(replicaEpoch: random.bytes(16))
        try NodeCore.begin(
            as: introduction, keys: keys, wrapKey: wrapKey, in: disk, at: moment.wall, using: &random)
        try add(keys, on: disk, called: "nobody")
        return cores.count - 1
    }

    /// A node with the root of a user and a device of its own: on an empty disk, or on what a backup has of one; its
    /// number.
    mutating func recover(_ holder: Int, from image: DiskImage? = nil, called name: String = "new") throws -> Int {
        let disk = VirtualDisk(replicaEpoch: random.bytes(16))
        if let image { disk.restore(image) }
        let old = cores[holder].keys
        let keys = NodeCore.Keys(
            root: old.root, author: Author(user: old.author.device.user, key: .generate(using: &random)),
            channelKey: .generate(using: &random), sealing: image == nil ? .generate(using: &random) : old.sealing)
        try add(keys, on: disk, called: name, isNewDevice: true)
        return cores.count - 1
    }

    /// Starts a node again from its disk.
    mutating func restart(_ core: Int, isNewDevice: Bool) throws {
        disconnect(core)
        wakes[core] = nil
        cores[core] = try NodeCore(
            keys: cores[core].keys, storage: disks[core], blobs: disks[core], names: ["new"], deviceName: "",
            staticPeers: [], isNewDevice: isNewDevice, formerDevice: cores[core].formerDevice,
            random: SeededRandom(seed: random.next()), at: moment)
    }

    /// Connects two nodes.
    mutating func connect(_ one: Int, _ other: Int) {
        transcripts += 1
        let transcript = Array(repeating: transcripts, count: 64)
        let place = { (core: Int) in Endpoint(host: "192.0.2.\(core + 1)", port: 1) }
        let target = DialTarget(address: place(other).description, device: nil)
        let dialing = cores[one].begin(to: target, at: place(other), moment: moment)
        let accepting = cores[other].begin(to: nil, at: place(one), moment: moment)
        let ends = (End(core: one, handle: dialing), End(core: other, handle: accepting))
        (wires[ends.0], wires[ends.1]) = (ends.1, ends.0)
        let identities = [other, one].map { peer in
            PeerIdentity(device: cores[peer].device, record: cores[peer].context.shownIdentity)
        }
        for (end, identity) in zip([ends.0, ends.1], identities) {
            cores[end.core].handle(.established(identity, transcript: transcript, on: end.handle), at: moment)
        }
    }

    /// Cuts every wire of a node.
    mutating func disconnect(_ core: Int) {
        for (end, other) in wires where end.core == core {
            wires[end] = nil
            wires[other] = nil
            for one in [end, other] {
                cores[one.core].handle(.ended(one.handle, reason: "cut"), at: moment)
            }
        }
    }

    /// Lets some time pass, in which all that is sent arrives at once.
    mutating func run(for length: Duration = .seconds(5)) {
        let end = now + length
        while true {
            while deliver() {}
            guard let next = wakes.values.min(), next <= end else { break }
            now = max(now, next)
            for core in cores.indices where wakes[core].map({ $0 <= now }) == true {
                wakes[core] = nil
                cores[core].handle(.tick, at: moment)
            }
        }
        now = end
    }

    /// Carries out what the nodes want; whether that was anything.
    private mutating func deliver() -> Bool {
        var isAny = false
        for core in cores.indices {
            for effect in cores[core].takeEffects() {
                switch effect {
                case .send(let peer, let bytes, _):
                    guard let other = wires[End(core: core, handle: peer)] else { continue }
                    isAny = true
                    sent.append((from: core, to: other.core, bytes: bytes))
                    cores[other.core].handle(
                        .received(ReceivedMessage(decoding: bytes), on: other.handle), at: moment)
                case .close(let peer):
                    isAny = true
                    let end = End(core: core, handle: peer)
                    guard let other = wires.removeValue(forKey: end) else { continue }
                    wires[other] = nil
                    cores[other.core].handle(.ended(other.handle, reason: "closed"), at: moment)
                case .wake(let moment): wakes[core] = min(wakes[core] ?? moment, moment)
                case .note(let note): notes[core, default: []].append(note)
                case .show(let event): shown.append((core: core, event: event))
                default: break
                }
            }
        }
        return isAny
    }

    /// Whether two nodes are connected.
    func areConnected(_ one: Int, _ other: Int) -> Bool {
        wires.contains { $0.key.core == one && $0.value.core == other }
    }

    /// Starts a node anew from its disk.
    mutating func restart(_ core: Int) throws {
        disconnect(core)
        cores[core] = try NodeCore(
            keys: cores[core].keys, storage: disks[core], blobs: disks[core], names: [], deviceName: "",
            staticPeers: [], random: SeededRandom(seed: random.next()), at: moment)
        try cores[core].start(onPort: 1, discovers: false, at: moment)
    }

    /// A node sends a file of one chunk. Wires carry none: whoever wants it goes on asking.
    mutating func sendFile(by core: Int, to conversation: ConversationID) throws -> BlobAddress {
        var encoder = BlobEncoder(key: .generate(using: &random))
        let (chunk, key) = (encoder.seal([7]), encoder.key)
        let (address, tree) = encoder.finish()
        try disks[core].save(BlobChunk(try #require(chunk), at: 0, of: address, in: tree))
        cores[core].handle(
            .uploaded(BlobReference(address: address, key: key, mediaType: .unknown)), at: moment)
        let file = CarriedFile(name: "chart", address: address)
        _ = try cores[core].send(nil, with: [file], to: conversation, at: moment)
        return address
    }

    /// The texts of a conversation that a node can read, in their order.
    func texts(of conversation: ConversationID, at core: Int) throws -> [String] {
        var node = cores[core]
        let messages = disks[core].image.operations(of: conversation, lane: .content)
            .filter { $0.header.type == .message }
        let opened = try node.open(messages, in: conversation)
        return messages.compactMap { message in
            switch opened[message.id]?.state.content {
            case .text(let text, mentions: _, editedAt: _): text
            case .unreadable, .deleted, nil: nil
            }
        }
    }
}
