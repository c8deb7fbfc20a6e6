import Conversations
import NodeCore
import OperationLog
import Replication
import Storage
import Time

/// What is looked at while a run goes on.
extension InvariantChecker {
    /// Looks at all hosts: at everything that is cheap, and at one thing closely.
    mutating func inspect(_ world: World) {
        checkDeliveries(in: world)
        for host in world.hosts where !host.isLiar && host.core != nil { inspect(host, world) }
        let candidates = world.hosts.filter { !$0.isLiar && $0.core != nil }
        guard Int.random(in: 0..<8, using: &random) == 0, let host = candidates.randomElement(using: &random),
            let conversation = world.conversations(of: host).randomElement(using: &random),
            let replica = host.core?.replicas[conversation]
        else { return }
        checkMembership(replica, of: host, world)
        compareWithRebuilt(replica, of: host, world)
    }

    private mutating func inspect(_ host: Host, _ world: World) {
        guard let core = host.core else { return }
        for replica in core.replicas.values.sorted(by: { $0.id < $1.id }) {
            let extent = Extent(life: host.life, operations: replica.operationCount, wanted: replica.wanted.count)
            let before = extents[host.index, default: [:]].updateValue(extent, forKey: replica.id)
            // What did not change is looked at now and then.
            guard before != extent || Int.random(in: 0..<8, using: &random) == 0 else { continue }
            compareWithEquals(replica, of: host, world)
        }
        checkBuffers(of: core, host, world)
        checkMemory(of: core, host, world)
        checkLinks(of: host, world)
        checkTyping(on: host, world)
    }

    /// Equal sets of operations give equal state: a digest stands for the set.
    mutating func compareWithEquals(_ replica: Replica, of host: Host, _ world: World) {
        let digest = replica.digest
        let snapshot = ReplicaSnapshot(replica)
        guard let known = snapshots[replica.id]?[digest], known.snapshot.epochs != nil || snapshot.epochs == nil
        else {
            snapshots[replica.id, default: [:]][digest] = (host.name, snapshot)
            return
        }
        expect(
            snapshot.differences(from: known.snapshot).isEmpty, .equalSetsEqualState, world,
            "\(host.name) and \(known.host) hold the same and differ in \(snapshot.differences(from: known.snapshot))"
        )
    }

    private mutating func checkBuffers(of core: NodeCore, _ host: Host, _ world: World) {
        var ofPeer: [PeerHandle: Int] = [:]
        var ofDevice: [DeviceID: (batches: Int, bytes: Int)] = [:]
        for entry in core.pending.entries {
            let bytes = entry.batch.operations.reduce(0) { $0 + $1.header.bodyLength }
            ofPeer[entry.peer, default: 0] += bytes
            for device in Set(entry.batch.operations.map(\.author.id)) {
                ofDevice[device, default: (0, 0)].batches += 1
                ofDevice[device, default: (0, 0)].bytes += bytes
            }
            expect(
                host.moment(at: world.now).monotonic - entry.since <= .seconds(40), .boundedBuffers, world,
                "a batch has waited for more than 40 s on \(host.name)")
        }
        let holds =
            ofPeer.values.allSatisfy { $0 <= 1 << 20 } && ofPeer.values.reduce(0, +) <= 16 << 20
            && ofDevice.values.allSatisfy { $0.batches <= 64 && $0.bytes <= 256 << 10 }
        expect(holds, .boundedBuffers, world, "more waits on \(host.name) than may")
        for side in host.ends.values {
            let waiting = world.wires[side.wire]?.ends[side.end]?.channel.queuedBytes ?? 0
            expect(
                waiting <= 2 * SecureChannel.maximumMessageBytes, .boundedBuffers, world,
                "\(waiting) bytes wait to be sent by \(host.name)")
        }
    }

    // MARK: - Across restarts

    /// A process is about to read its disk.
    mutating func started(_ host: Host, world: World) {
        guard !host.isLiar else { return }
        let stored = Set(host.disk.image.rows.map(\.operation.id))
        let lost = host.acknowledged.subtracting(stored)
        expect(
            lost.isEmpty, .durability, world, "\(host.name) lost \(lost.count) operations that it had acknowledged")
    }

    /// A process has read its disk.
    mutating func restored(_ host: Host, world: World) {
        guard !host.isLiar, let core = host.core else { return }
        for replica in core.replicas.values.sorted(by: { $0.id < $1.id }) {
            compareWithEquals(replica, of: host, world)
        }
    }

    /// State rebuilt from the log equals the live state.
    mutating func compareWithRebuilt(_ replica: Replica, of host: Host, _ world: World) {
        guard host.disk.condition != .broken, host.disk.image.conversations[replica.id] != nil, var core = host.core,
            var rebuilt = try? NodeCore.restore(
                ConversationRecord(id: replica.id, root: replica.log.root), from: host.disk),
            (try? core.restoreEncryption(of: &rebuilt)) != nil
        else { return }
        let differences = ReplicaSnapshot(rebuilt).differences(from: ReplicaSnapshot(replica))
        expect(differences.isEmpty, .rebuiltState, world, "\(host.name), started anew, would differ in \(differences)")
        let losses = Self.losses(of: rebuilt, comparedTo: replica, countsBodies: !core.uncounted.contains(replica.id))
        expect(losses.isEmpty, .rebuiltState, world, "\(host.name), started anew, would hold something else: \(losses)")
    }

    /// The parts in which a rebuilt replica holds something else than a live one, for a message.
    private static func losses(of rebuilt: Replica, comparedTo live: Replica, countsBodies: Bool) -> String {
        var parts: [String] = []
        if rebuilt.digest != live.digest || rebuilt.operationCount != live.operationCount { parts.append("operations") }
        if rebuilt.log.contentHeads != live.log.contentHeads { parts.append("content heads") }
        if rebuilt.log.membership.heads != live.log.membership.heads { parts.append("membership heads") }
        if rebuilt.lastActivity != live.lastActivity { parts.append("activity") }
        if rebuilt.wanted.operations != live.wanted.operations { parts.append("wanted") }
        if countsBodies, rebuilt.quotas != live.quotas { parts.append("shares") }
        return parts.joined(separator: ", ")
    }

    // MARK: - Authority

    /// Operations of a lane that are judged anew; longer ones are taken on trust, for time: the naive resolver looks at
    /// every pair.
    private static let maximumLane = 1_000

    /// Holds the verdicts of a replica against the naive resolver.
    mutating func checkMembership(_ replica: Replica, of host: Host, _ world: World) {
        guard !replica.isDirect else { return }
        let held = host.disk.image.operations(of: replica.id, lane: .membership)
        guard !held.isEmpty, held.count <= Self.maximumLane, let operations = try? held.map({ try NaiveOperation($0) }),
            let judged = try? NaiveMembership(judging: operations, of: replica.id)
        else { return }
        let void = Set(replica.group.history.filter { $0.voidReason != nil }.map(\.operation.id))
        expect(
            void == Set(judged.void.keys), .authority, world,
            "\(host.name) judges wrongly: "
                + void.symmetricDifference(judged.void.keys).sorted().map { id in
                    "\(id.description.prefix(8)) is \(judged.void[id].map { "void (\($0.rule))" } ?? "effective")"
                }.joined(separator: ", "))
        let members = replica.group.members.map {
            NaiveMembership<OperationID, UserID>.Member(person: $0.user, role: NaiveRole($0.role))
        }
        expect(members == judged.members, .authority, world, "\(host.name) takes others for members")
        expect(
            replica.group.actingAdmin == judged.actingAdmin, .authority, world,
            "\(host.name) takes somebody else for acting admin")
        expect(
            replica.group.name.map { Array($0.utf8) } == judged.registers[Array(Group.nameField.utf8)], .authority,
            world,
            "\(host.name) shows another name")
        if let before = judgments[replica.id], Set(before.operations.map(\.id)).isSubset(of: held.map(\.id)) {
            let interference = judged.interference(since: before)
            expect(interference.isEmpty, .nonInterference, world, interference.first ?? "")
        }
        judgments[replica.id] = judged
    }
}
