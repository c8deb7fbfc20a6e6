import Conversations
import OperationLog
import OperationLogFixtures

/// The group when Alice has founded it and added Bob.
struct Stage {
    /// The log.
    let log: ConversationLog
    /// What the rules make of it.
    let group: Group
    /// The operation that adds Bob.
    let addition: Operation

    // Safe: nobody changes it, and whoever uses its values copies them.
    nonisolated(unsafe) static let ready = Stage()

    private init() {
        var log = Cast.emptyLog
        var group = Group(conversation: Cast.conversation, root: .group)
        let body = MembershipBody.add(
            under: .grant(operation: Cast.creation.id, slot: 0), targets: [Cast.bobCredentials])
        do throws(MalformedBytes) {
            group.insert([try log.begin(with: Cast.creation).operation])
            let written = try log.write(
                membership: [ConversationLog.Draft(type: .add, body: body.encoded)], by: Cast.alice.author,
                at: Cast.time)
            group.insert(written.map(\.operation))
            addition = written[0].operation
        } catch {
            preconditionFailure("what the harness writes is valid: \(error)")
        }
        self.log = log
        self.group = group
    }
}
