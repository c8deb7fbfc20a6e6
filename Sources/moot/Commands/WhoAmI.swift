import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot whoami`
struct WhoAmI: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami", abstract: "Show who the node's user is, or how others can find them.",
        discussion: """
            A contact code says who you are and where your node listens, for people whom discovery does not reach; they give \
            it to `moot people add`. It is no secret, but it tells your addresses.
            """)

    @Flag(help: "Print the contact code.")
    var code = false

    @Flag(name: .customLong("qr"), help: "Draw the contact code as a QR code.")
    var isDrawn = false

    @Flag(help: "Draw it for a terminal with a light background.")
    var light = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if light, !isDrawn { throw ValidationError("--light goes with --qr.") }
        if code, isDrawn { throw ValidationError("--code and --qr exclude each other.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if code || isDrawn {
            let contact = try await node.contact()
            let lines =
                isDrawn
                ? try QRCodeDrawing.lines(
                    of: contact.code, onLightBackground: light, insteadOf: "moot whoami --code", output)
                : [contact.code]
            try output.answer(contact) { lines }
            if isDrawn, !light { output.say("If the background of this terminal is light, add --light.") }
            return
        }
        let me = try await node.profile()
        try output.answer(me) { IdentityLines.lines(about: me, output) }
    }
}
