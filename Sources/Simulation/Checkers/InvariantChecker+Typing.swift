import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

/// Who types: told to few, passed on once, shown for three seconds.
extension InvariantChecker {
    /// How long a node may be late, in microseconds: it is a matter of its timer.
    private static let slack = 50_000
    /// A process that was stopped for a while is late by that, in microseconds.
    private static let leniency = 4_000_000
    /// Signals that are attacked in one conversation.
    private static let attacks = 16

    /// What a node knew before it heard something.
    struct TypingExpectation {
        let signal: [UInt8]
        let typingIndicators: TypingIndicators
    }

    // MARK: - Telling

    /// A node sends a message, which may say that somebody types.
    mutating func sends(_ message: [UInt8], from host: Host, on side: Wire.Side, in world: World) {
        guard let wire = world.wires[side.wire], let signal = Self.signal(in: message),
            let author = TypingOracle.author(of: signal.bytes, among: world.hosts),
            let conversation = world.slots(on: side, of: host).first(where: { $0.value == signal.slot })?.key
        else { return }
        let recipient = wire.hosts[side.other.end]
        let process = TypingOracle.Process(host)
        if author.index == host.index {
            if typing.made[signal.bytes] == nil {
                if let last = typing.lastMade[process], !host.isLiar {
                    expect(
                        world.now - last >= 1_000_000, .typing, world,
                        "\(host.name) says that they type \((world.now - last) / 1_000) ms after they said so")
                }
                typing.lastMade[process] = world.now
            }
            makes(signal.bytes, in: conversation, by: host)
        } else if !host.isLiar {
            let ear = typing.heardSignals[process]
            expect(
                ear?.direct.contains(signal.bytes) == true, .typing, world,
                "\(host.name) passes on what did not come from its author")
            expect(
                ear?.passed[signal.bytes]?.contains(recipient) != true, .typing, world,
                "\(host.name) passes on twice that somebody types")
            typing.heardSignals[process, default: .init()].passed[signal.bytes, default: []].insert(recipient)
        }
        if !host.isLiar { typing.made[signal.bytes]?.recipients.insert(recipient) }
    }

    /// A device made a signal.
    mutating func makes(_ signal: [UInt8], in conversation: ConversationID, by host: Host) {
        guard typing.made[signal] == nil else { return }
        typing.made[signal] = TypingOracle.SentSignal(
            author: host.index, conversation: conversation,
            heads: host.core?.replicas[conversation]?.log.membership.heads ?? [])
    }

    private static func signal(in message: [UInt8]) -> (slot: Int, bytes: [UInt8])? {
        // All others are passed over unread: this is asked twice for every message.
        guard message.first.flatMap(PeerMessageKind.init)?.purpose == .typing,
            case .conversation(let lane, .typing(let bytes))? = try? PeerMessage(decoding: message)
        else { return nil }
        return (lane.slot, bytes)
    }

    // MARK: - Hearing

    /// Looks at a node before it hears that somebody types.
    mutating func typingExpectation(
        of message: [UInt8], on side: Wire.Side, to host: Host, in world: World
    ) -> TypingExpectation? {
        guard !host.isLiar, let signal = Self.signal(in: message), let wire = world.wires[side.wire],
            let core = host.core
        else { return nil }
        let sender = wire.hosts[side.other.end]
        if typing.made[signal.bytes]?.author == sender {
            typing.heardSignals[TypingOracle.Process(host), default: .init()].direct.insert(signal.bytes)
        }
        return TypingExpectation(signal: signal.bytes, typingIndicators: core.typingIndicators)
    }

    /// Looks at the node again: only what was really said, is new and does not come too fast has changed anything.
    mutating func overheard(_ before: TypingExpectation?, by host: Host, in world: World) {
        guard let before, let core = host.core else { return }
        let process = TypingOracle.Process(host)
        guard core.typingIndicators != before.typingIndicators else { return }
        guard let made = typing.made[before.signal] else {
            return report(.typing, world, "\(host.name) takes in a forged signal")
        }
        let author = world.hosts[made.author]
        let ear = typing.heardSignals[process]
        expect(
            ear?.heard.contains(before.signal) != true, .typing, world,
            "\(host.name) takes in twice that \(author.name) types")
        expect(
            ear?.last[made.author].map { world.now - $0 >= 1_000_000 } ?? true, .typing, world,
            "\(host.name) hears \(author.name) type more than once a second")
        expect(
            core.replicas[made.conversation]?.group.isMember(author.user) == true, .typing, world,
            "\(host.name) hears somebody type who is no member")
        typing.heardSignals[process, default: .init()].heard.insert(before.signal)
        typing.heardSignals[process]?.last[made.author] = world.now
        typing.heardSignals[process]?.lastIn[made.conversation, default: [:]][made.author] = world.now
    }

    /// A node shows its user who types.
    mutating func shows(_ people: [UserID], in conversation: ConversationID, by host: Host) {
        typing.heardSignals[TypingOracle.Process(host), default: .init()].shown[conversation] = people
    }

    /// Nobody is shown for longer than three seconds after they were heard, and nobody who is no member.
    mutating func checkTyping(on host: Host, _ world: World) {
        guard host.frozenUntil == 0 || host.frozenUntil + Self.leniency < world.now,
            let ear = typing.heardSignals[TypingOracle.Process(host)]
        else { return }
        for (conversation, people) in ear.shown.sorted(by: { $0.key < $1.key }) {
            for user in people {
                let isHeard = (ear.lastIn[conversation] ?? [:]).contains { author, last in
                    world.hosts[author].user == user && world.now - last <= 3_000_000 + Self.slack
                }
                expect(
                    isHeard, .typing, world, "\(host.name) shows somebody typing who was not heard for three seconds")
                expect(
                    host.core?.replicas[conversation]?.group.isMember(user) == true, .typing, world,
                    "\(host.name) shows somebody typing who is no member")
            }
        }
    }

    // MARK: - Everybody else

    /// Only the members of the moment were told, and nobody else opens what was said.
    mutating func checkTypingSignals(_ everything: ConversationHistory, _ world: World) {
        let signals = typing.made.filter { $0.value.conversation == everything.conversation }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.shuffled(using: &random).prefix(Self.attacks)
        for (bytes, made) in signals {
            let author = world.hosts[made.author]
            guard !author.isLiar, !author.wasPutBack,
                let epoch = everything.operations.values.first(where: {
                    $0.id.digest.bytes == TypingOracle.epoch(of: bytes)
                }),
                let readers = everything.views.readers(at: epoch.header.membershipHeads),
                let members = everything.views.readers(at: made.heads)
            else { continue }
            expect(readers == members, .typing, world, "\(author.name) types under an epoch of other readers")
            let outsiders = world.hosts.filter { host in !readers.contains { $0.user == host.user } }
            expect(
                outsiders.allSatisfy { !made.recipients.contains($0.index) }, .typing, world,
                "somebody who is no member is told that \(author.name) types")
            guard let signal = try? TypingSignal(verifying: bytes, in: made.conversation) else {
                report(.typing, world, "\(author.name) made a signal that does not verify")
                continue
            }
            for key in outsiders.flatMap({ StolenKeys(of: $0, in: made.conversation).keys }) {
                expect(
                    (try? signal.open(with: key, in: made.conversation)) == nil, .typing, world,
                    "somebody opens that \(author.name) types, and is no member")
            }
        }
    }
}
