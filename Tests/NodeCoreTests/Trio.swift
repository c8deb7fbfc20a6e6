import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice, Bob and Carol, each with a node that nobody drives: their machines are tried one by one.
///
/// The disk is the simulator's, because it is in memory and fails on demand. Nothing else of the simulator is used.
struct Trio {
    static let moment = Moment(monotonic: Instant(sinceStart: .zero), wall: Timestamp(clamping: 1_800_000_000_000))
    /// What both sides of a connection have said to begin with.
    static let transcript = [UInt8](repeating: 7, count: 64)

    let disks: [VirtualDisk]
    var cores: [NodeCore]
    var alice: NodeCore { cores[0] }
    var bob: NodeCore { cores[1] }
    var carol: NodeCore { cores[2] }

    init() throws {
        var (disks, cores): ([VirtualDisk], [NodeCore]) = ([], [])
        for (index, name) in ["Alice", "Bob", "Carol"].enumerated() {
            var random = SeededRandom(seed: UInt64(index + 1))
            let person = Person(using: &random)
            let disk = VirtualDisk(replicaEpoch: Array(repeating: UInt8(index + 1), count: 16))
            let keys = NodeCore.Keys(
                root: person.root, author: person.author, channelKey: .generate(using: &random),
                sealing: .generate(using: &random))
            disks.append(disk)
            cores.append(
                try NodeCore(
                    keys: keys, storage: disk, blobs: disk, names: [name], deviceName: "desk", staticPeers: [],
                    random: random, at: Self.moment))
        }
        for one in cores.indices {
            for other in cores.indices where other != one {
                _ = cores[one].contacts.learn(cores[other].ownCredentials)
                cores[one].learn(cores[other].card)
            }
        }
        (self.disks, self.cores) = (disks, cores)
    }

    /// A moment so much later than the first.
    static func after(_ duration: Duration) -> Moment {
        Moment(
            monotonic: moment.monotonic + duration,
            wall: Timestamp(clamping: moment.wall.milliseconds + Int64(duration / .milliseconds(1))))
    }

    /// Connects one node to another, as far as the one is concerned.
    mutating func connect(
        _ one: Int, to other: Int, dialing target: DialTarget? = nil, at endpoint: Endpoint? = nil,
        reached: [Endpoint] = []
    ) -> PeerHandle {
        let handle = cores[one].begin(
            to: target, at: endpoint ?? Endpoint(host: "192.0.2.\(other + 1)", port: 1), reached: reached,
            moment: Self.moment)
        let identity = PeerIdentity(device: cores[other].device, record: cores[other].ownCredentials.identity)
        cores[one].handle(
            .established(identity, transcript: Self.transcript, on: handle), at: Self.moment)
        _ = cores[one].takeEffects()
        return handle
    }

    /// Alice founds a group of all three, and writes in it; the others take in what they wrote.
    mutating func found() throws -> ConversationID {
        let group = try cores[0].createGroup(
            name: "Ship", members: [cores[1].me, cores[2].me], at: Self.moment)
        _ = try cores[0].send(["Welcome"], to: group, at: Self.moment)
        for index in 1...2 { cores[index].open(group, root: .group) }
        try deliver(group)
        return group
    }

    /// The others take in what Alice holds of a group.
    mutating func deliver(_ group: ConversationID) throws {
        for index in 1...2 {
            deliver(group, to: index)
            let replica = try #require(cores[index].replicas[group])
            try #require(replica.digest == cores[0].replicas[group]?.digest)
        }
    }

    /// One takes in what another, or else Alice, holds of a group, and may write on at once.
    mutating func deliver(_ group: ConversationID, from source: Int = 0, to index: Int) {
        for lane in Lane.allCases {
            let held = disks[source].image.operations(of: group, lane: lane)
            cores[index].admit(
                Batch(lane: lane, operations: held).encoded, to: group, lane: lane, from: PeerHandle(rawValue: 1_000))
        }
    }
}

extension [MachineRequest] {
    /// The messages that are to be sent to a peer, in order.
    func messages(to peer: PeerHandle) throws -> [PeerMessage] {
        try compactMap { request in
            guard case .effect(.send(peer, let bytes, _)) = request else { return nil }
            return try PeerMessage(decoding: bytes)
        }
    }

    /// What watchers are to be shown.
    var news: [ClientEvent] {
        compactMap { request in
            guard case .effect(.show(let news)) = request else { return nil }
            return news
        }
    }

    /// What is to be written into the log.
    var notices: [Diagnostic] {
        compactMap { request in
            guard case .effect(.note(let notice)) = request else { return nil }
            return notice
        }
    }

    /// What the replicator is to be told.
    var events: [Replicator.Event] {
        compactMap { request in
            guard case .replicate(let event) = request else { return nil }
            return event
        }
    }

    /// Whether a peer is to be turned away for a lie.
    func offends(_ peer: PeerHandle) -> Bool {
        events.contains { event in
            guard case .offended(peer, _) = event else { return false }
            return true
        }
    }
}
