import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot devices revoke`
struct DevicesRevoke: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a device out that was stolen, with what was done on it since.",
        discussion: """
            Everything counts that your node has of the device, or with --hours what came here before that: a host that was \
            linked or recovered later cannot tell, and refuses. What it wrote later is not \
            shown to anybody, and what it decided in groups does not count, nor what rests on that. Nothing undoes it. For a \
            device that is only lost or replaced, there is `moot devices retire`. Where a passphrase guards the keys here, you are asked for it every time.
            """)

    @Argument(help: "The device: its name, or the beginning of its id.")
    var device: String

    @Option(help: "How many hours ago it was stolen; by default all that is here of it counts.")
    var hours: Int?

    @Flag(help: "Take it out without asking: for programs.")
    var yes = false

    @Flag(help: "Go on although others have more than this node: what it lacks of the device does not count.")
    var force = false

    @OptionGroup var owner: OwnersPassphrase

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let hours, !(0...87_600).contains(hours) { throw ValidationError("--hours is from 0 to 87600.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let seconds = hours.map { $0 * 3_600 }
        let losses = try await node.revocationLosses(of: device, stolenSecondsAgo: seconds)
        let name = TerminalText.line(losses.device.name)
        output.say(
            "\(name) (\(losses.device.id.prefix(16))) is known in \(losses.conversations) conversations. "
                + "\(losses.messages) of its messages and changes to messages would not be shown any more, and "
                + "\(losses.decisions) decisions in groups would not count.")
        if losses.behind {
            output.say("Others have more than your node, which may be of the device: wait, or use --force.")
        }
        if !losses.blocked.isEmpty {
            output.say("These people were blocked on it, and stay so. If that was not you, take it back:")
            for user in losses.blocked { output.say("moot people unblock \(user.prefix(16))") }
        }
        let passphrase = try owner.read(common)
        guard yes || Question.isAnsweredYes("Revoke it for good?") else {
            throw Failure(.canceled, "The device is still one of yours", hint: nil)
        }
        let device = try await node.revokeDevice(
            losses.device.id, stolenSecondsAgo: seconds, force: force, passphrase: passphrase)
        try output.changed(device, "\(name) is none of your devices any more. Compare codes anew with whom it matters.")
    }
}
