import Conversations
import NodeCore
import OperationLog

/// What became of messages: alike for all who can read the same, found again from the log, and as the page says.
extension InvariantChecker {
    /// All that the state of a message depends on.
    private struct DisplayedMessage: Hashable {
        let lane: FrontierDigest
        /// What is held of the other lane: what a pin covers depends on whether the operation that it names is here.
        let content: FrontierDigest
        let message: OperationID
        let reading: Reading
        let annotations: [OperationID]
    }

    /// Looks at every message of every honest host.
    mutating func checkMessages(of world: World) {
        for conversation in world.conversations {
            var shown: [DisplayedMessage: (host: String, state: MessageState)] = [:]
            for host in world.hosts where !host.isLiar {
                for (sight, state) in checkMessages(in: conversation, of: host, world) {
                    guard let known = shown[sight] else {
                        shown[sight] = (host.name, state)
                        continue
                    }
                    expect(
                        state == known.state, .equalSetsEqualState, world,
                        "\(host.name) and \(known.host) make different things of message \(sight.message)")
                }
            }
        }
    }

    private mutating func checkMessages(
        in conversation: ConversationID, of host: Host, _ world: World
    ) -> [(DisplayedMessage, MessageState)] {
        guard var core = host.core, let replica = core.replicas[conversation] else { return [] }
        let content = host.disk.image.operations(of: conversation, lane: .content)
        let membership = host.disk.image.operations(of: conversation, lane: .membership)
        let oracle = NaiveMessages(of: conversation, root: replica.log.root, holding: membership + content)
        let messages = content.filter { $0.header.type == .message }
        for operation in content where operation.header.type.isClosed && oracle.knowsRevocations {
            expect(
                (core.read(operation, in: conversation) == .unreadable(.deviceRevoked)) == oracle.isRevoked(operation),
                .authority, world,
                "\(host.name) takes \(operation.id) for one of a stolen device, or does not")
        }
        // Found without any index: by opening everything.
        var about: [OperationID: [NaiveMessages.Said]] = [:]
        for operation in content.sorted(by: { $0.id < $1.id }) where operation.header.type.isAnnotation {
            guard let body = core.annotation(operation, in: conversation) else { continue }
            about[body.target, default: []].append(NaiveMessages.Said(operation: operation, change: body.change))
        }
        let found = try? host.disk.annotations(of: messages.map(\.id), in: conversation, fromEachEnd: nil)
        let opened = try? core.open(messages, in: conversation)
        var sights: [(DisplayedMessage, MessageState)] = []
        let (lane, held) = (replica.log.membershipFrontier.digest, replica.log.contentFrontier.digest)
        for message in messages {
            let said = about[message.id] ?? []
            let expected = said.map(\.operation.id)
            let aboutFiles = said.flatMap { about[$0.operation.id] ?? [] }.map(\.operation.id)
            expect(
                (found?[message.id] ?? []).map(\.operation).filter { !oracle.isRevoked($0) }.map(\.id).sorted()
                    == expected, .rebuiltState, world,
                "\(host.name) does not find what was said about message \(message.id)")
            guard let opened = opened?[message.id] else { continue }
            expect(
                NaiveMessages.Shown(opened.state) == oracle.shown(message, after: said, aboutFiles: about), .authority,
                world,
                "\(host.name) makes of message \(message.id) what the page does not say")
            expect(
                (opened.cutOff != nil) == oracle.isCutOff(message), .authority, world,
                "\(host.name) takes message \(message.id) for cut off, or does not")
            let sight = DisplayedMessage(
                lane: lane, content: held, message: message.id, reading: opened.reading,
                annotations: expected + aboutFiles)
            sights.append((sight, opened.state))
        }
        return sights
    }
}

extension NaiveMessages.Shown {
    /// What a node shows, in the oracle's words.
    fileprivate init(_ state: MessageState) {
        isDeleted = state.isDeleted
        if case .text(let text, _, .some) = state.content { edited = text }
        given = Set(
            state.reactions.flatMap { reaction in
                reaction.users.map { NaiveMessages.Given(user: $0, emoji: reaction.emoji) }
            })
        isPinned = state.pinnedBy != nil
        files = state.files.map(\.reference)
    }
}
