import Conversations
import NodeCore
import OperationLog

extension World {
    /// Says about other people's messages what only they may say, or somebody with a role.
    func presume(_ step: Step, by host: Host) {
        change(host) { core, _ in
            guard let replica = self.group(of: step, known: core) else { return }
            let content = host.disk.image.operations(of: replica.id, lane: .content)
            let messages = content.filter { $0.header.type == .message && $0.author.user != host.user }.suffix(3)
            guard !messages.isEmpty else { return }
            let message = messages[messages.startIndex + step.other % messages.count].id
            let changes: [AnnotationBody.Change] = [
                .delete, .edit(text: "never said \(step.at)", mentions: []), .pin(isPinned: true),
                .pin(isPinned: false),
                .reaction(emoji: "no emoji", isPresent: true),
            ]
            guard let body = AnnotationBody(of: message, changes[step.value % changes.count]) else { return }
            _ = try? core.write(closed: [(body.type, body.encoded)], in: replica.id)
        }
    }
}
