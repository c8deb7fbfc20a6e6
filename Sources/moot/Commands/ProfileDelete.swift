import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot profile delete`
struct ProfileDelete: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete your identity, permanently: leave every group, and write nothing any more.",
        discussion: """
            Others see Deleted User in your place, without a photo, and nobody can add you again. What you wrote stays where it is. \
            Where you are the last admin the oldest member takes over. At a terminal you are asked twice; a script says --yes. \
            Let the node run until others have heard of it. Where a passphrase guards the keys here, you are asked for it, too.
            """)

    @Flag(help: "Delete it without being asked.")
    var yes = false

    @OptionGroup var owner: OwnersPassphrase

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let me = try await node.profile()
        if !yes, !me.deleted {
            guard common.mayAsk else {
                throw Failure(
                    .invalidRequest, "Nothing was deleted: that is permanent, and there is nobody to ask",
                    hint: "If you are sure: moot profile delete --yes")
            }
            for question in Self.questions(to: me) where !Question.isAnsweredYes(question) {
                output.say("You stay \(TerminalText.line(me.name)).")
                throw ExitCode(ExitStatus.refused.rawValue)
            }
        }
        let passphrase = try me.deleted ? nil : owner.read(common)
        try output.changed(
            try await node.deleteProfile(passphrase: passphrase),
            "Your identity is deleted. Let the node run until others have heard of it: moot peers")
    }

    /// What is asked, one question after the other.
    static func questions(to me: IdentityDescription) -> [String] {
        [
            "Are you sure you want to delete your identity, \(TerminalText.line(me.name))? "
                + "You leave every group, and others see Deleted User.",
            "This is permanent, and nobody can add you again. Delete it?",
        ]
    }
}
