import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot verify`
struct Verify: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare this node's replicas with those of every reachable member.",
        discussion: "Replicas that differ are a state, not a failure: the exit status is 0 either way.")

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let verification = try await node.verify()
        try output.answer(verification) {
            var table = Table("CONVERSATION", "OPERATIONS", "DIGEST", "REPLICAS")
            for conversation in verification.conversations {
                let replicas = conversation.replicas.map { "\($0.name) \($0.state)" }.joined(separator: ", ")
                table.add(
                    conversation.title, "\(conversation.operations)", Self.short(conversation.digest),
                    replicas.isEmpty ? "no other" : replicas)
            }
            let gaps = verification.conversations.flatMap { conversation in
                conversation.gaps.map { "\(conversation.title): \(Self.place(of: $0))\($0.text)" }
            }
            return table.lines(output) + gaps.map(TerminalText.line)
        }
        output.say(
            verification.equal
                ? "Every reachable replica equals ours." : "Some replicas differ; they converge while connected.")
    }

    /// Where in the conversation something is missing, as far as that is known.
    private static func place(of gap: GapDescription) -> String {
        gap.operations.first.map { "\($0.prefix(12)) " } ?? ""
    }

    /// Both ends of a digest: the first half is that of the membership lane, the second that of the content lane.
    private static func short(_ digest: String) -> String {
        digest.count > 17 ? "\(digest.prefix(8))…\(digest.suffix(8))" : digest
    }
}
