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
                .edit(text: "never said \(step.at)", mentions: []), .pin(isPinned: step.value % 2 == 0),
                .reaction(emoji: "no emoji", isPresent: true), .delete,
            ]
            // Whoever may delete shows nothing else any more.
            let bodies = changes.dropLast(step.value % 3 == 0 ? 1 : 0).compactMap { AnnotationBody(of: message, $0) }
            _ = try? core.write(closed: bodies.map { ($0.type, $0.encoded) }, in: replica.id)
        }
    }
}
