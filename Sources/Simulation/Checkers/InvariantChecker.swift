import Conversations
import Membership
import NodeCore
import OperationLog
import Replication

/// Watches a simulation and notes every invariant that does not hold. Judges by the oracles, not by the code under
/// test.
struct InvariantChecker {
    /// What was noted, at most ``maximumViolations``.
    private(set) var violations: [Violation] = []
    /// How often each invariant was checked.
    private(set) var checks: [Int: Int] = [:]

    /// A run ends when so much is wrong.
    private static let maximumViolations = 10

    /// A place in the chain of a device.
    private struct ChainPosition: Hashable {
        let conversation: ConversationID
        let device: DeviceID
        let lane: Lane
        let sequenceNumber: UInt64
    }

    /// How much a replica held when it was looked at.
    struct Extent: Equatable {
        let life: Int
        let operations: Int
        let wanted: Int
    }

    /// What honest devices were seen to write.
    private var written: [ChainPosition: OperationID] = [:]
    /// What equal replicas have looked like, and who showed it first.
    var snapshots: [ConversationID: [String: (host: String, snapshot: ReplicaSnapshot)]] = [:]
    /// What was there when the replicas of a host were looked at last.
    var extents: [Int: [ConversationID: Extent]] = [:]
    /// The last judgment of each conversation by the oracle on some host's operations.
    var judgments: [ConversationID: NaiveMembership<OperationID, UserID>] = [:]
    /// Draws what is looked at closely; a source of its own, so that looking does not change the run.
    var random: SeededRandom
    /// The devices that an honest author knew as taken out when they wrote something closed.
    var departedWhenWritten: [OperationID: Set<DeviceID>] = [:]
    /// Messages that should arrive soon.
    var deliveries: [Delivery] = []
    /// How much happens.
    var eventRate = EventRate()
    /// What became of batches since the last message was handed to a node.
    private var batches = (refused: 0, ignored: 0, taken: 0)

    /// The number of the host with each device: this is asked for every operation that a node commits.
    private let numbers: [DeviceID: Int]

    init(_ plan: Plan, hosts: [Host]) {
        random = SeededRandom(seed: plan.seed, part: 777)
        numbers = Dictionary(uniqueKeysWithValues: hosts.map { ($0.device, $0.index) })
    }

    /// The host with a device; nil if none has it.
    func host(of device: DeviceID, in world: World) -> Host? { numbers[device].map { world.hosts[$0] } }

    /// Whether the run should end.
    var isFull: Bool { violations.count >= Self.maximumViolations }

    /// Notes that an invariant was broken.
    mutating func report(_ invariant: Invariant, _ world: World, _ what: String) {
        guard !isFull else { return }
        violations.append(Violation(checker: invariant.rawValue, at: world.now / 1_000, what: what))
    }

    /// Counts a check, and notes that the invariant was broken unless it holds.
    mutating func expect(
        _ holds: Bool, _ invariant: Invariant, _ world: World, _ what: @autoclosure () -> String
    ) {
        checks[invariant.rawValue, default: 0] += 1
        if !holds { report(invariant, world, what()) }
    }

    // MARK: - As it happens

    /// A node made operations durable.
    mutating func committed(
        _ admitted: [AdmittedOperation], in conversation: ConversationID, by host: Host, world: World
    ) {
        batches.taken += 1
        for entry in admitted {
            let operation = entry.operation
            guard let author = self.host(of: operation.author.id, in: world), !author.isLiar, !author.wasPutBack else {
                continue
            }
            if author === host, operation.header.type.isClosed { noteDeparted(before: operation, by: host, world) }
            let header = operation.header
            let place = ChainPosition(
                conversation: conversation, device: header.device, lane: header.lane,
                sequenceNumber: header.sequenceNumber)
            let known = written[place]
            expect(
                known == nil || known == operation.id, .honestChains, world,
                "\(author.name) wrote two operations at place \(header.sequenceNumber) of a chain")
            written[place] = operation.id
        }
        expectPrompt(admitted, in: conversation, by: host, world)
    }

    /// Remembers whom somebody who writes knows as taken out: nobody may seal for those.
    private mutating func noteDeparted(before operation: Operation, by host: Host, _ world: World) {
        let departed = world.hosts.filter { host.disk.image.tombstones[$0.user]?[$0.device] != nil }.map(\.device)
        if !departed.isEmpty { departedWhenWritten[operation.id] = Set(departed) }
    }

    /// A channel ended because of what arrived.
    mutating func channelFailed(_ error: ChannelError, on side: Wire.Side, in world: World) {
        world.tally.faults["channel \(error.code)", default: 0] += 1
    }

    /// Somebody has proven to be a device.
    mutating func established(_ identity: PeerIdentity, on side: Wire.Side, in world: World) {
        guard let wire = world.wires[side.wire] else { return }
        let other = world.hosts[wire.hosts[side.other.end]]
        let device = wire.strangers[side.other.end]?.author.device ?? other.keys.author.device
        expect(identity.device == device, .identity, world, "\(other.name) was taken for somebody else")
    }

    /// A node wrote something into its log.
    mutating func hear(_ event: Diagnostic, by host: Host, in world: World) {
        switch event {
        case .banned(let device, _):
            guard let culprit = self.host(of: device, in: world), !host.isLiar else { return }
            expect(culprit.isLiar, .identity, world, "\(host.name) refuses honest \(culprit.name) as a liar")
        case .batchRefused:
            batches.refused += 1
        case .operationIgnored:
            batches.ignored += 1
        case .connected, .connectionEnded, .connectionClosed, .notStored, .notJudged, .notServed, .personNotKept,
            .cardRefused, .namesakes, .forked, .stalled, .costly, .ratified, .keyMissing, .keyReplaced, .notErased,
            .keysErased,
            .receiptRefused, .receiptRelearned, .chunkRefused, .homeCopied, .deviceTakenOut, .deviceCertified,
            .deviceNotCertified, .clockDiffers:
            break
        }
    }

    /// Who types, and who was told.
    var typing = TypingOracle()

    // MARK: - What is rejected changes nothing

    /// What a node holds, to be compared after it was handed something.
    struct Expectation {
        let digests: [ConversationID: String]
    }

    private func digests(of host: Host) -> [ConversationID: String] {
        // A conversation that somebody told of and of which nothing came goes with them.
        (host.core?.replicas ?? [:]).filter { $0.value.operationCount > 0 }.mapValues(\.digest)
    }

    /// Looks at a node before a liar's message, which it may have to reject; honest ones are taken at their word.
    mutating func expectation(of message: [UInt8], from sender: Host?, to host: Host) -> Expectation? {
        batches = (0, 0, 0)
        guard sender?.isLiar == true, message.first == PeerMessage.batchKind, !host.isLiar else { return nil }
        return Expectation(digests: digests(of: host))
    }

    /// Looks at the node again.
    mutating func received(_ before: Expectation?, by host: Host, in world: World) {
        // What a batch releases may be ignored although the batch itself is taken.
        guard let before, batches.refused > 0 || batches.ignored > 0 && batches.taken == 0, host.core != nil else {
            return
        }
        expect(
            digests(of: host) == before.digests, .rejectedInput, world,
            "\(host.name) holds something else after a batch it rejected")
    }

    /// Looks at a node before its user asks for something.
    func expectation(ofCommandBy host: Host) -> Expectation { Expectation(digests: digests(of: host)) }

    /// A command was refused.
    mutating func refused(_ step: Step, _ error: NodeError, _ before: Expectation, by host: Host, in world: World) {
        let allowed = step.kind.refusals
        expect(
            allowed.contains(error.code), .typedRefusals, world,
            "\(host.name) refused to \(step.kind.rawValue) with \(error.code.rawValue)")
        expect(!error.message.isEmpty, .typedRefusals, world, "a refusal without words: \(error.code.rawValue)")
        // Revoking that failed in one conversation is done in others.
        guard host.core != nil, step.kind != .revoke else { return }
        expect(
            digests(of: host) == before.digests, .rejectedInput, world,
            "\(host.name) holds something else after it refused to \(step.kind.rawValue) (\(error.code.rawValue))")
    }
}

extension Step.Kind {
    /// The codes with which a node may refuse a command.
    fileprivate var refusals: Set<NodeError.Code> {
        let storage: Set<NodeError.Code> = [
            .diskFull, .storageFailed, .homeCopied, .deviceTakenOut,
            // Taken out, but the disk failed when it heard so.
            .invalidOperation,
        ]
        let deciding: Set<NodeError.Code> = [
            .insufficientPermissions, .outranked, .notAParticipant, .invalidOperation, .conversationNotFound,
            .notAccepted,
        ]
        switch self {
        case .create: return storage.union([.tooFewParticipants, .tooManyParticipants, .unknownPerson])
        case .direct: return storage.union([.invalidOperation])
        case .send, .attach: return storage.union([.notAParticipant, .notAccepted, .announcementOnly, .unknownPerson])
        case .read: return storage.union([.notAccepted])
        case .type: return storage.union([.notAParticipant, .notAccepted, .announcementOnly])
        case .annotate:
            return storage.union([
                .notAParticipant, .notAccepted, .announcementOnly, .unknownPerson, .messageNotFound,
                .insufficientPermissions, .invalidOperation, .alreadyDelivered,
            ])
        case .add: return storage.union(deciding).union([.alreadyInGroup, .unknownPerson, .duplicateParticipant])
        case .remove: return storage.union(deciding).union([.alreadyRemoved, .wouldArchive])
        case .promote, .demote: return storage.union(deciding).union([.unknownPerson, .lastAdmin])
        case .rename, .announce, .letAdd: return storage.union(deciding)
        case .leave:
            return storage.union(deciding).union([.cannotLeaveDirect, .lastAdmin, .wouldArchive, .unknownPerson])
        // The card is signed by the root, which another device may hold.
        case .profile, .retire, .revoke, .keep: return storage.union([.invalidOperation])
        case .invite: return storage.union(deciding).union([.alreadyInGroup, .unknownPerson, .duplicateParticipant])
        case .answer: return storage.union([.invalidOperation, .alreadyInGroup])
        case .offer: return storage.union(deciding)
        case .redeem: return storage.union([.codeExpired, .codeUsed, .codeCanceled, .invalidOperation])
        case .isolate, .cutOneWay, .reset, .stall, .kill, .loseBeforeWriting, .loseBeforeSyncing, .loseAfterSyncing,
            .freeze, .setClock, .fillDisk, .breakDisk, .backUp, .restore, .fork, .forge, .overreach, .corrupt,
            .withhold,
            .flood, .impersonate, .hide, .misseal, .presume, .falsifyReceipts, .falsifyTyping, .bloat, .bare, .branch,
            .reissue, .usurp,
            .linger, .falsifyKeys, .dribble, .pester, .intrude, .silence, .link, .steal:
            return []
        }
    }
}
