import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot invite`
struct Invite: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Invite a person to a group, who may accept or decline; or make a code for somebody unknown.",
        discussion: """
            To make somebody a member without asking, use `moot add`. With --code the group gets one more member: whoever \
            first uses the code with `moot join`. It is a secret until then.
            """)

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: "Whom to invite; with --cancel also the id of a code.", completion: .person)
    var person: String?

    @Flag(help: "Take the invite or the code back.")
    var cancel = false

    @Flag(help: "Print a code by which one person can join, whoever they are.")
    var code = false

    @Flag(name: .customLong("qr"), help: "Make such a code and draw it as a QR code.")
    var isDrawn = false

    @Flag(help: "Draw it for a terminal with a light background.")
    var light = false

    @Option(help: ArgumentHelp("How long the code is good, such as 30m, 8h or 1w.", valueName: "duration"))
    var expires: TimeSpan?

    @Flag(name: .customLong("codes"), help: "List the codes that nobody has used.")
    var listsCodes = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        let makesCode = code || isDrawn
        if light, !isDrawn { throw ValidationError("--light goes with --qr.") }
        if expires != nil, !makesCode { throw ValidationError("--expires goes with --code or --qr.") }
        guard [code, isDrawn, listsCodes, cancel].count(where: \.self) <= 1 else {
            throw ValidationError("--code, --qr, --codes and --cancel exclude each other.")
        }
        if makesCode || listsCodes {
            if person != nil { throw ValidationError("A code is for whoever comes: name no person.") }
        } else if person == nil {
            throw ValidationError("Name a person, or make a code with --code.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if code || isDrawn { return try await makeCode(asking: node, printing: output) }
        guard let person else { return try await list(asking: node, printing: output) }
        let title: String
        if cancel {
            let changed = try await node.cancelInvite(of: person, to: conversation)
            title = TerminalText.line(changed.title)
            try output.changed(changed, "\(TerminalText.line(person)) is not invited to \(title) any more.")
        } else {
            let changed = try await node.invite(person, to: conversation)
            title = TerminalText.line(changed.title)
            try output.changed(changed, "\(TerminalText.line(person)) is invited to \(title).")
        }
    }

    private func makeCode(asking node: LocalClient, printing output: Output) async throws {
        let made = try await node.makeCode(for: conversation, lasting: expires?.seconds)
        let end = LocalTime(made.expiresAt).map { "\($0.day) \($0.clock)" } ?? made.expiresAt
        let lines =
            isDrawn
            ? try QRCodeDrawing.lines(
                of: made.code, onLightBackground: light, insteadOf: "moot invite GROUP --code", output) : [made.code]
        try output.answer(made) { lines }
        output.say("Whoever first uses it is a member: keep it between you. It is good until \(end).")
        output.say("To take it back: moot invite \(made.conversation.prefix(16)) --cancel \(made.id.prefix(16))")
        if isDrawn, !light { output.say("If the background of this terminal is light, add --light.") }
    }

    private func list(asking node: LocalClient, printing output: Output) async throws {
        let codes = try await node.codes(of: conversation)
        try output.answer(codes) {
            var table = Table("ID", "MADE BY", "GOOD UNTIL")
            for code in codes {
                table.add(
                    String(code.id.prefix(16)), code.inviterName,
                    LocalTime(code.expiresAt).map { "\($0.day) \($0.clock)" } ?? code.expiresAt)
            }
            return table.lines(output)
        }
    }
}
