import Conversations
import NodeCore
import OperationLog

/// What became of messages: alike for all who can read the same, and found again from the messages.
extension Inspector {
    /// All that the state of a message depends on.
    private struct Sight: Hashable {
        let lane: String
        let message: OperationID
        let reading: Reading
        let annotations: [OperationID]
    }

    /// Looks at every message of every honest host.
    mutating func judgeMessages(of world: World) {
        for conversation in world.conversations {
            var shown: [Sight: (host: String, state: MessageState)] = [:]
            for host in world.hosts where !host.isLiar {
                for (sight, state) in judgeMessages(in: conversation, of: host, world) {
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

    private mutating func judgeMessages(
        in conversation: ConversationID, of host: Host, _ world: World
    ) -> [(Sight, MessageState)] {
        guard var core = host.core, let replica = core.replicas[conversation] else { return [] }
        let content = host.disk.image.operations(of: conversation, lane: .content)
        let messages = content.filter { $0.header.type == .message }
        // Found without any index: by opening everything.
        var about: [OperationID: [OperationID]] = [:]
        for operation in content.sorted(by: { $0.id < $1.id }) where operation.header.type.isAnnotation {
            guard let body = core.annotation(operation, in: conversation) else { continue }
            about[body.target, default: []].append(operation.id)
        }
        let found = try? host.disk.annotations(of: messages.map(\.id), in: conversation)
        let opened = try? core.open(messages, in: conversation)
        var sights: [(Sight, MessageState)] = []
        for message in messages {
            let expected = about[message.id] ?? []
            expect(
                (found?[message.id] ?? []).map(\.operation.id).sorted() == expected, .rebuiltState, world,
                "\(host.name) does not find what was said about message \(message.id)")
            guard let opened = opened?[message.id] else { continue }
            let sight = Sight(
                lane: "\(replica.log.membershipFrontier.digest)", message: message.id, reading: opened.reading,
                annotations: expected)
            sights.append((sight, opened.state))
        }
        return sights
    }
}
