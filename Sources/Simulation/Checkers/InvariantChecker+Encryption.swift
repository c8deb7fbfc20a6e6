import Conversations
import Cryptography
import NodeCore
import OperationLog
import Storage

/// What is looked at when a run is over and all are known who lied: who can read what.
extension InvariantChecker {
    /// Views that are worked out anew in one conversation; the rest are taken on trust, for time.
    private static let viewsAtOnce = 16

    /// Everything that was ever written into one conversation.
    struct ConversationHistory {
        let conversation: ConversationID
        let operations: [OperationID: Operation]
        let views: NaiveViews
        /// The content operations looked at, ascending.
        let content: [Operation]
    }

    /// Checks every invariant about reading.
    mutating func checkSecrecy(of world: World) {
        for conversation in world.conversations {
            guard let everything = everything(of: conversation, in: world) else { continue }
            checkEpochs(everything, world)
            checkNonces(everything, world)
            checkCanceled(everything, world)
            for host in world.hosts where !host.isLiar {
                checkReadability(everything, by: host, world)
                checkBodies(everything, of: host, world)
            }
            attack(everything, world)
            checkTypingSignals(everything, world)
        }
    }

    private mutating func everything(of conversation: ConversationID, in world: World) -> ConversationHistory? {
        var operations: [OperationID: Operation] = [:]
        for host in world.hosts {
            for row in host.disk.image.rows where row.conversation == conversation {
                if operations[row.operation.id]?.body == nil { operations[row.operation.id] = row.operation }
            }
        }
        guard let root = world.hosts.lazy.compactMap({ $0.core?.replicas[conversation]?.log.root }).first else {
            return nil
        }
        let content = operations.values.filter { $0.header.lane == .content }.sorted { $0.id < $1.id }
        let heads = Set(content.map(\.header.membershipHeads)).sorted { $0.lexicographicallyPrecedes($1) }
        let chosen = Set(heads.shuffled(using: &random).prefix(Self.viewsAtOnce))
        return ConversationHistory(
            conversation: conversation, operations: operations,
            views: NaiveViews(of: conversation, root: root, holding: Array(operations.values)),
            content: content.filter { chosen.contains($0.header.membershipHeads) })
    }

    private func author(of operation: Operation, in world: World) -> Host? {
        host(of: operation.author.id, in: world).flatMap { $0.isLiar || $0.wasPutBack ? nil : $0 }
    }

    // MARK: - Epochs and nonces

    /// What honest devices write names an epoch of the same view, and the epoch's key is what its author committed to.
    private mutating func checkEpochs(_ everything: ConversationHistory, _ world: World) {
        for operation in everything.content where operation.header.type.isClosed {
            guard let author = author(of: operation, in: world) else { continue }
            guard let epoch = operation.header.epoch.flatMap({ everything.operations[$0] }) else {
                report(.epochOfView, world, "\(author.name) wrote something under no epoch")
                continue
            }
            let readers = everything.views.readers(at: operation.header.membershipHeads)
            expect(
                readers != nil && readers == everything.views.readers(at: epoch.header.membershipHeads), .epochOfView,
                world, "\(author.name) wrote under an epoch of other readers")
        }
        for host in world.hosts where !host.isLiar {
            let epochs = host.core?.replicas[everything.conversation]?.epochs.all ?? [:]
            for epoch in epochs.values.sorted(by: { $0.id < $1.id }) {
                guard case .held(let key) = epoch.key, let operation = everything.operations[epoch.id],
                    let isKept = everything.views.commitment(of: key, in: operation)
                else { continue }
                expect(
                    isKept, .commitment, world,
                    "\(host.name) holds another key than the others were promised")
            }
        }
    }

    /// No nonce is used twice: a nonce is random, so once is all it may ever be seen.
    private mutating func checkNonces(_ everything: ConversationHistory, _ world: World) {
        var seen: [[UInt8]: OperationID] = [:]
        for operation in everything.content where operation.header.type.isClosed {
            guard let author = author(of: operation, in: world), let body = operation.body else { continue }
            let nonce = Array(body.prefix(24))
            expect(seen[nonce] == nil, .nonces, world, "\(author.name) used a nonce twice")
            seen[nonce] = operation.id
        }
    }

    /// Nobody but its author ever had what was canceled.
    private mutating func checkCanceled(_ everything: ConversationHistory, _ world: World) {
        for author in world.hosts {
            for id in author.canceled.sorted() {
                for host in world.hosts where host !== author {
                    let stored = try? host.disk.operation(id, of: everything.conversation)
                    expect(
                        stored?.body == nil, .canceled, world, "\(host.name) has what \(author.name) canceled")
                }
            }
        }
    }

    // MARK: - Members

    /// Every member of the view opens the message.
    private mutating func checkReadability(_ everything: ConversationHistory, by host: Host, _ world: World) {
        guard !host.wasPutBack, !world.isTakenOut(host), var core = host.core,
            let replica = core.replicas[everything.conversation]
        else {
            return
        }
        let isMember = replica.group.isMember(host.user)
        for operation in everything.content
        where operation.header.type == .message || operation.header.type.isAnnotation {
            guard let author = author(of: operation, in: world),
                let stored = try? host.disk.operation(operation.id, of: everything.conversation),
                let readers = everything.views.readers(at: operation.header.membershipHeads),
                readers.contains(where: { $0.device == host.device })
            else { continue }
            switch core.read(stored, in: everything.conversation) {
            case .open(let text):
                let isSaid =
                    operation.header.type == .message
                    ? (try? MessageBody(decoding: text)) != nil
                    : (try? AnnotationBody.decode(text, type: operation.header.type)) != nil
                expect(isSaid, .membersRead, world, "\(host.name) opens what says nothing")
            case .wanted where !isMember || !isHeld(operation, byMembersOf: everything.conversation, world): continue
            case .erased where isTakenBack(operation, in: everything.conversation, at: host): continue
            // A liar sealed it wrongly, and who is no member any more has nobody to complain to.
            case .unreadable(.wrapBroken) where !isMember, .unreadable(.commitBroken) where !isMember: continue
            case .declined where fillsShare(everything.conversation, at: host): continue
            // Which ones is asked of `NaiveMessages`.
            case .unreadable(.deviceRevoked): continue
            case .closed, .wanted, .declined, .erased, .unreadable:
                report(
                    .membersRead, world,
                    "\(host.name) cannot read what \(author.name) wrote to them: \(core.read(stored, in: everything.conversation))"
                )
            }
        }
    }

    /// Whether a host holds more closed bytes of a conversation than one takes that its user has not accepted.
    private func fillsShare(_ conversation: ConversationID, at host: Host) -> Bool {
        let closed = host.disk.image.operations(of: conversation, lane: .content).filter(\.header.type.isClosed)
        return closed.reduce(0) { $0 + $1.header.bodyLength } > BodyQuotas.maximumUnacceptedBytes
    }

    /// Whether its author deleted an operation, as far as a host knows: then nobody need have its body.
    private func isTakenBack(_ operation: Operation, in conversation: ConversationID, at host: Host) -> Bool {
        if host.dismissed.contains(operation.id) { return true }
        let about = try? host.disk.annotations(of: [operation.id], in: conversation, fromEachEnd: nil)[operation.id]
        return about?.contains {
            $0.operation.header.type == .delete && $0.operation.author.user == operation.author.user
        } ?? false
    }

    /// Whether an honest member has a body: nobody else is asked for it, and nobody talks to a device that was taken
    /// out.
    private func isHeld(_ operation: Operation, byMembersOf conversation: ConversationID, _ world: World) -> Bool {
        world.hosts.contains { host in
            !host.isLiar && !world.isTakenOut(host)
                && host.core?.replicas[conversation]?.group.isMember(host.user) == true
                && (try? host.disk.operation(operation.id, of: conversation))?.body != nil
        }
    }

    /// A replica holds bodies of its user's time only: what was for one of their devices, the others may have.
    private mutating func checkBodies(_ everything: ConversationHistory, of host: Host, _ world: World) {
        for operation in everything.content where operation.header.type.isClosed {
            guard let stored = try? host.disk.operation(operation.id, of: everything.conversation), stored.body != nil,
                let readers = everything.views.readers(at: operation.header.membershipHeads)
            else { continue }
            expect(
                readers.contains { $0.user == host.user }, .newcomersReadNothingOlder, world,
                "\(host.name) holds a body that is for others")
        }
    }

    // MARK: - Everybody else

    /// All who are not to read a message put together whatever they hold, and try everything.
    private mutating func attack(_ everything: ConversationHistory, _ world: World) {
        let sealed = everything.content.filter { $0.header.type.isClosed && $0.body != nil }
        let stolenKeys = world.hosts.map { host in StolenKeys(of: host, in: everything.conversation) }
        for operation in sealed {
            guard author(of: operation, in: world) != nil, let body = operation.body,
                let readers = everything.views.readers(at: operation.header.membershipHeads)
            else { continue }
            let heads = operation.header.membershipHeads
            // Where the lane does not name a device yet, nobody owes it the tombstone, and its user's other devices may
            // have given it keys.
            let known = (departedWhenWritten[operation.id] ?? [])
                .intersection(everything.views.certified(before: heads))
            let departed = known.union(everything.views.departed(before: heads).map(\.device))
            let outsiders = world.hosts.filter { host in
                departed.contains(host.device) || !readers.contains { $0.user == host.user }
            }
            for host in outsiders {
                let invariant: Invariant =
                    departed.contains(host.device)
                    ? .takenOutReadNothingNewer
                    : everything.views.wasNamed(host.user, before: operation.header.membershipHeads)
                        ? .removedReadNothingNewer : .newcomersReadNothingOlder
                for key in stolenKeys[host.index].keys {
                    expect(
                        (try? key.open(body, of: operation.header)) == nil, invariant, world,
                        "\(host.name) opens what is not for them")
                }
            }
            tryWraps(operation, in: everything, with: outsiders.map { stolenKeys[$0.index] }, world)
        }
    }

    /// Tries the wraps of a message's epoch, one at random, with every secret of the outsiders.
    private mutating func tryWraps(
        _ operation: Operation, in everything: ConversationHistory, with stolenKeys: [StolenKeys], _ world: World
    ) {
        guard let epoch = operation.header.epoch.flatMap({ everything.operations[$0] }), let bytes = epoch.body,
            let body = try? EpochBody(decoding: bytes), let wrap = body.wraps.randomElement(using: &random),
            Int.random(in: 0..<8, using: &random) == 0
        else { return }
        for secret in stolenKeys.flatMap(\.secrets) {
            expect(
                (try? secret.open(wrap)) == nil, .removedReadNothingNewer, world,
                "somebody opens a key that was sealed for somebody else")
        }
    }
}

/// What a host has to open things with: the keys of every epoch it ever held, and every secret that was sealed to.
struct StolenKeys {
    var keys: [EpochKey] = []
    var secrets: [AgreementKey] = []

    init(of host: Host, in conversation: ConversationID) {
        keys = host.ownKeys[conversation] ?? []
        let sealing = host.keys.sealing
        for image in [host.disk.image, host.backup?.image].compactMap({ $0 }) {
            for (epoch, sealed) in (image.conversations[conversation]?.epochKeys ?? [:]).sorted(by: { $0.key < $1.key })
            {
                let cell = StorageLocation(
                    table: "epoch_keys", row: conversation.digest.bytes + epoch.digest.bytes, kind: "key")
                if let key = (try? sealing.open(sealed, in: cell)).flatMap(EpochKey.init) { keys.append(key) }
            }
            for (counter, stored) in image.wrapSecrets.sorted(by: { $0.key < $1.key }) {
                let cell = StorageLocation(
                    table: "wrap_keys", row: withUnsafeBytes(of: counter.bigEndian) { Array($0) }, kind: "secret")
                if let secret = (try? sealing.open(stored.sealed, in: cell)).flatMap({ AgreementKey(secret: $0) }) {
                    secrets.append(secret)
                }
            }
        }
    }
}
