import Conversations
import NodeCore
import OperationLog
import Storage

/// What is looked at when a run is over and the network has healed.
extension InvariantChecker {
    /// Looks at everything once more, closely.
    mutating func checkFinalState(of world: World) {
        guard !isFull else { return }
        for conversation in world.conversations {
            let disagreement = world.disagreement(on: conversation)
            expect(disagreement == nil, .convergence, world, disagreement ?? "")
        }
        let down = world.hosts.filter { !$0.isLiar && $0.isLinked && $0.core == nil }
        expect(down.isEmpty, .convergence, world, "\(down.first?.name ?? "") did not come up again")
        for host in world.hosts where !host.isLiar {
            started(host, world: world)
            for replica in (host.core?.replicas ?? [:]).values.sorted(by: { $0.id < $1.id }) {
                compareWithEquals(replica, of: host, world)
                compareWithRebuilt(replica, of: host, world)
            }
        }
        checkLogs(of: world)
        checkSecrecy(of: world)
        checkMessages(of: world)
        checkReceipts(of: world)
        checkDevices(of: world)
        checkTraffic(of: world)
        checkSecrets(of: world)
        // A process that trapped did not come here: whoever runs it says so.
        expect(true, .noTraps, world, "")
        world.tally.checks = checks
    }

    /// Judges every log once, however many hosts hold the same.
    private mutating func checkLogs(of world: World) {
        var judged: Set<String> = []
        for host in world.hosts where !host.isLiar {
            for replica in (host.core?.replicas ?? [:]).values.sorted(by: { $0.id < $1.id })
            where judged.insert("\(replica.id) \(replica.digest)").inserted {
                checkMembership(replica, of: host, world)
                checkLog(replica, of: host, world)
            }
        }
    }

    private mutating func checkLog(_ replica: Replica, of host: Host, _ world: World) {
        let image = host.disk.image
        let membership = image.operations(of: replica.id, lane: .membership)
        let content = image.operations(of: replica.id, lane: .content)
        let log = NaiveLog(of: replica.id, root: replica.log.root, holding: membership + content)
        let findings = log.findings()
        expect(findings.isEmpty, .wholeLogs, world, "on \(host.name): \(findings.first ?? "")")
        for lane in Lane.allCases {
            let tips = replica.log.frontier(of: lane).tips.mapValues { chain in
                Set(chain.map { NaiveTip(sequenceNumber: $0.sequenceNumber, id: $0.id) })
            }
            expect(tips == log.frontier(of: lane), .wholeLogs, world, "\(host.name) says it holds something else")
            let forked = Set(replica.log.frontier(of: lane).tips.filter { $0.value.count > 1 }.keys)
            let proven = Set(log.forks.filter { $0.chain.lane == lane }.map(\.chain.device))
            expect(forked == proven, .forkEvidence, world, "\(host.name) does not see who forked their chain")
        }
        let heads = [replica.log.membership.heads, replica.log.contentHeads.map(\.id)]
        expect(
            heads == [log.heads(of: .membership), log.heads(of: .content)], .wholeLogs, world,
            "\(host.name) takes other operations for heads")
        let times = replica.group.history.reduce(into: [:]) { $0[$1.operation.id] = $1.hybridTime }
        expect(
            times == log.hybridTimes(of: .membership), .shownOrder, world,
            "\(host.name) shows what happened in the group at other times")
        let shown = image.rows.filter { $0.conversation == replica.id && $0.operation.header.type == .message }
            .sorted { ($0.hybridTime, $0.operation.id) < ($1.hybridTime, $1.operation.id) }.map(\.operation.id)
        expect(shown == log.messageOrder, .shownOrder, world, "\(host.name) shows messages in another order")
        let early = log.causalViolations(in: shown)
        expect(early.isEmpty, .shownOrder, world, "on \(host.name): \(early.first ?? "")")
        deliver(membership, content, like: replica, of: host, world)
    }

    // MARK: - Order and repetition

    /// Delivers a replica's operations to an empty one in a random order, and then some of them again.
    private mutating func deliver(
        _ membership: [Operation], _ content: [Operation], like replica: Replica, of host: Host, _ world: World
    ) {
        var waiting = membership.map { Batch(lane: .membership, operations: [$0]) } + Self.signedRuns(of: content)
        waiting.shuffle(using: &random)
        // What others get is what the bytes say.
        let again = waiting.prefix(5).compactMap { try? Batch(decoding: $0.encoded, of: replica.id) }
        expect(again.count == min(5, waiting.count), .anyOrder, world, "a batch of \(host.name) does not decode")
        let index = RunIndex()
        var other = Replica(conversation: replica.id, root: replica.log.root)
        while !waiting.isEmpty {
            let tried = waiting
            waiting = []
            for batch in tried {
                switch try? other.deliver(batch, index) {
                case .pending: waiting.append(batch)
                case .admitted, .duplicate, .inadmissible, nil: break
                }
            }
            guard waiting.count < tried.count else { break }
        }
        expect(
            other.digest == replica.digest, .anyOrder, world,
            "delivered in another order, the operations of \(host.name) make another log")
        let differences = ReplicaSnapshot(other).differences(from: ReplicaSnapshot(replica))
        expect(
            differences.isEmpty, .anyOrder, world,
            "delivered in another order, the operations of \(host.name) differ in \(differences)")
        for batch in again {
            let outcome = try? other.deliver(batch, index)
            expect(
                outcome == .duplicate && other.digest == replica.digest, .repetition, world,
                "delivered again, a batch of \(host.name) is not a duplicate")
        }
    }

    /// The shortest stretches of a lane, in the order of arrival, at whose end every chain that goes through them is
    /// signed.
    private static func signedRuns(of operations: [Operation]) -> [Batch] {
        var runs: [Batch] = []
        var run: [Operation] = []
        var unsigned: Set<OperationID> = []
        for operation in operations {
            run.append(operation)
            if let previous = operation.header.previous { unsigned.remove(previous) }
            if operation.signature == nil { unsigned.insert(operation.id) }
            guard unsigned.isEmpty else { continue }
            runs.append(Batch(lane: .content, operations: run))
            run = []
        }
        return runs
    }

    // MARK: - Bytes

    private mutating func checkTraffic(of world: World) {
        guard world.plan.isFaultless else { return }
        // What nodes say when they meet grows with their pairs, however little they write then. So it is no cost of
        // what they write.
        let nodes = world.plan.nodes
        let meeting = world.tally.meetingBytes / max(nodes * (nodes - 1), 1)
        // Where a device comes or goes somebody writes.
        let isQuiet = world.plan.steps.allSatisfy {
            $0.at >= world.plan.writingBegins || ![.link, .retire, .revoke, .keep].contains($0.kind)
        }
        expect(
            !isQuiet || meeting <= TrafficBounds.bytesPerMeeting(among: nodes), .boundedTraffic, world,
            "each node sent each other \(meeting) bytes before anybody wrote")
        let deliveries = world.tally.deliveries - (world.tally.traffic.gathering?.deliveries ?? 0)
        guard deliveries > 500 else { return }
        let bytes = (world.tally.sentBytes - world.tally.meetingBytes) / deliveries
        expect(
            bytes <= TrafficBounds.bytesPerDelivery, .boundedTraffic, world,
            "\(bytes) bytes were sent for each operation delivered: "
                + world.tally.messagesByKind.summary(dividedBy: Double(world.tally.written)))
    }

    /// Looks for secrets in everything on disks; what is sent is looked at when it is sent.
    private mutating func checkSecrets(of world: World) {
        let secrets = SecretSearch(world.hosts.flatMap(\.secrets))
        for host in world.hosts {
            let image = host.disk.image
            let isClean =
                image.rows.allSatisfy {
                    !secrets.isIn($0.operation.body ?? []) && !secrets.isIn($0.operation.header.encoded)
                }
                && image.profiles.values.allSatisfy { !secrets.isIn($0.card.encoded) }
                && image.credentials.values.allSatisfy { !secrets.isIn($0.encoded) }
            expect(isClean, .secrets, world, "a secret is on the disk of \(host.name)")
        }
    }
}

/// Finds what was delivered to a replica in memory.
private final class RunIndex: OperationIndex {
    private var placements: [OperationID: Placement] = [:]

    func placement(of id: OperationID) -> Placement? { placements[id] }

    func insert(_ entry: AdmittedOperation) {
        placements[entry.operation.id] = Placement(entry.operation, hybridTime: entry.hybridTime)
    }
}

extension Replica {
    /// Takes in a batch, without a node around it.
    fileprivate mutating func deliver(_ batch: Batch, _ index: RunIndex) throws -> Admission {
        let admission = try admit(batch, using: index)
        if case .admitted(let admitted) = admission, batch.lane == .content { admitted.forEach(index.insert) }
        return admission
    }
}
