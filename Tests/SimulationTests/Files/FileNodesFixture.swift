import Blobs
import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Nodes with nothing between them: what one sends, the other receives in order, without time or losses.
final class FileNodesFixture {
    final class Node {
        let person: Person
        let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
        var core: NodeCore
        /// The other end of each connection.
        var lines: [PeerHandle: (node: Int, handle: PeerHandle)] = [:]
        /// Who ended a connection with this one, or was ended by it.
        var closed: [Int] = []

        private let name: String
        private let keys: NodeCore.Keys

        init(_ name: String, seed: UInt64, at moment: Moment) throws {
            var random = SeededRandom(seed: seed)
            person = Person(using: &random)
            self.name = name
            keys = person.nodeKeys(using: &random)
            core = try NodeCore(
                keys: keys, storage: disk, blobs: disk, names: [name], deviceName: "desk", staticPeers: [],
                random: SeededRandom(seed: seed + 1_000), at: moment)
        }

        /// A new process on the same disk.
        func restart(at moment: Moment) throws {
            lines = [:]
            core = try NodeCore(
                keys: keys, storage: disk, blobs: disk, names: [name], deviceName: "desk", staticPeers: [],
                random: SeededRandom(seed: 9), at: moment)
        }
    }

    private(set) var nodes: [Node] = []
    private var time = Duration.zero
    /// Everything that was sent, with who sent it to whom.
    private(set) var mail: [(from: Int, to: Int, message: PeerMessage)] = []
    /// What happens to a message on its way; nil loses it.
    var altering: (_ from: Int, _ to: Int, PeerMessage) -> PeerMessage? = { $2 }

    init(_ names: String...) throws {
        for (index, name) in names.enumerated() { nodes.append(try Node(name, seed: UInt64(index + 1), at: moment)) }
    }

    var moment: Moment {
        Moment(
            monotonic: Instant(sinceStart: time),
            wall: Timestamp(clamping: 1_800_000_000_000 + Int64(time / .milliseconds(1))))
    }

    func user(_ node: Int) -> UserID { nodes[node].person.user }

    /// Does something at a node, and lets what follows from it happen.
    @discardableResult
    func at<Value>(_ node: Int, _ event: (inout NodeCore, Moment) throws -> Value) rethrows -> Value {
        let value = try event(&nodes[node].core, moment)
        settle()
        return value
    }

    func connect(_ one: Int, _ other: Int) {
        let target = DialTarget(address: "192.0.2.\(other + 1):1", device: nil)
        let first = nodes[one].core.begin(
            to: target, at: Endpoint(host: "192.0.2.\(other + 1)", port: 1), moment: moment)
        let second = nodes[other].core.begin(
            to: nil, at: Endpoint(host: "192.0.2.\(one + 1)", port: 1), moment: moment)
        nodes[one].lines[first] = (other, second)
        nodes[other].lines[second] = (one, first)
        for (node, peer, handle) in [(one, other, first), (other, one, second)] {
            let record = nodes[peer].core.ownCredentials.identity
            let identity = PeerIdentity(device: nodes[peer].person.author.device, record: record)
            nodes[node].core.handle(
                .established(identity, transcript: Array(repeating: 7, count: 64), on: handle), at: moment)
        }
        settle()
    }

    /// Cuts a connection.
    func disconnect(_ one: Int, _ other: Int) {
        for (node, peer) in [(one, other), (other, one)] {
            for handle in nodes[node].lines.filter({ $0.value.node == peer }).keys {
                nodes[node].lines[handle] = nil
                nodes[node].core.handle(.ended(handle, reason: "connection_lost"), at: moment)
            }
        }
        settle()
    }

    /// Kills a node and starts it anew, connected with everybody.
    func restart(_ index: Int) throws {
        for line in nodes[index].lines.values {
            nodes[line.node].lines[line.handle] = nil
            nodes[line.node].core.handle(
                .ended(line.handle, reason: "connection_lost"), at: moment)
        }
        settle()
        try nodes[index].restart(at: moment)
        for other in nodes.indices where other != index { connect(index, other) }
    }

    /// Lets time pass, in steps of a tenth of a second.
    func pass(_ duration: Duration) {
        let end = time + duration
        while time < end {
            time += .milliseconds(100)
            for node in nodes { node.core.handle(.tick, at: moment) }
            settle()
        }
    }

    /// Delivers until nobody has anything to say.
    func settle() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for (index, node) in nodes.enumerated() {
                for effect in node.core.takeEffects() {
                    isQuiet = false
                    perform(effect, by: index)
                }
            }
        }
    }

    private func perform(_ effect: Effect, by index: Int) {
        let node = nodes[index]
        switch effect {
        case .send(let handle, let bytes, _):
            deliver(bytes, from: index, on: handle)
        case .sendChunk(let handle, let address, let chunk):
            let bytes = (try? node.disk.chunk(chunk, of: address))?.encoded
            if let bytes { deliver(PeerMessage.files(.chunk(address.root, bytes)).encoded, from: index, on: handle) }
            node.core.handle(.chunkServed(to: handle), at: moment)
        case .close(let handle):
            guard let line = node.lines.removeValue(forKey: handle) else { return }
            node.closed.append(line.node)
            nodes[line.node].closed.append(index)
            nodes[line.node].lines[line.handle] = nil
            nodes[line.node].core.handle(.ended(line.handle, reason: "goodbye"), at: moment)
        case .recognized, .fetching, .dial, .dialBack, .announce, .answer, .wake, .deviceCertified, .show, .note:
            break
        }
    }

    private func deliver(_ bytes: [UInt8], from index: Int, on handle: PeerHandle) {
        guard let line = nodes[index].lines[handle] else { return }
        #expect(bytes.count <= SecureChannel.maximumMessageBytes, "a message keeps its limit")
        guard let message = try? PeerMessage(decoding: bytes) else {
            Issue.record("a node sent what is no message")
            return
        }
        mail.append((index, line.node, message))
        guard let altered = altering(index, line.node, message) else { return }
        nodes[line.node].core.handle(.received(ReceivedMessage(decoding: altered.encoded), on: line.handle), at: moment)
    }

    /// Sends what no node would.
    func push(_ message: PeerMessage, from one: Int, to other: Int) {
        guard let handle = nodes[one].lines.first(where: { $0.value.node == other })?.key else { return }
        deliver(message.encoded, from: one, on: handle)
        settle()
    }

    // MARK: - Files

    /// Puts a file of so many bytes in at a node.
    func putIn(_ length: Int, seed: UInt64 = 1, at index: Int) throws -> BlobReference {
        var random = SeededRandom(seed: seed)
        var encoder = BlobEncoder(key: .generate(using: &random))
        var (rest, sealed) = (random.bytes(length)[...], [[UInt8]]())
        repeat {
            let piece = encoder.seal(Array(rest.prefix(BlobAddress.chunkByteCount)))
            sealed.append(try #require(piece))
            rest = rest.dropFirst(BlobAddress.chunkByteCount)
        } while !rest.isEmpty
        let key = encoder.key
        let (address, tree) = encoder.finish()
        for (place, chunk) in sealed.enumerated() {
            try nodes[index].disk.save(BlobChunk(chunk, at: place, of: address, in: tree))
        }
        let reference = BlobReference(address: address, key: key, mediaType: .unknown)
        at(index) { $0.handle(.uploaded(reference), at: $1) }
        return reference
    }

    func phase(of reference: BlobReference, at index: Int) -> FileState.Phase {
        nodes[index].core.state(of: reference.address).phase
    }
}
