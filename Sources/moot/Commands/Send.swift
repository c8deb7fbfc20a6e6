import ArgumentParser
import Conversations
import LocalAPIClient
import LocalAPIModel

/// `moot send`
struct Send: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a message, or files.",
        discussion: """
            A text may begin with a dash: behind the conversation even "-h" is one, while "--json" stays an option. --text TEXT \
            and -- take any. With --lines every line of standard input becomes a message; blank lines are skipped. \
            Lines that arrive together are sent together, up to 1,000 in one commit.
            """)

    /// The most lines of one commit: enough that signing and syncing cost little for each, few enough that others see
    /// the first ones soon.
    private static let burst = 1_000

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Argument(help: "The text; \"-\" or nothing reads it from standard input.")
    var text: String?

    @Option(name: .customLong("text"), help: ArgumentHelp("The text, whatever it begins with.", valueName: "text"))
    var givenText: String?

    @Option(help: ArgumentHelp("The message this one answers.", valueName: "msg"))
    var reply: String?

    @Option(
        help: ArgumentHelp("A file to send, up to 100 MiB; may be given several times.", valueName: "file"),
        completion: .file())
    var file: [String] = []

    @Flag(help: "Send each line of standard input as a message of its own.")
    var lines = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try TextSource.check(argument: text, option: givenText)
        if lines, givenText != nil || text.map({ $0 != "-" }) ?? false {
            throw ValidationError("--lines reads from standard input and takes no text.")
        }
        if lines, reply != nil {
            throw ValidationError("--lines and --reply exclude each other.")
        }
        if lines, !file.isEmpty {
            throw ValidationError("--lines and --file exclude each other.")
        }
        if file.count > APILimits.maximumFilesPerMessage {
            throw ValidationError("A message carries at most \(APILimits.maximumFilesPerMessage) files.")
        }
        if text == nil, givenText == nil, file.isEmpty, !lines, Terminal.isTerminal(.input) {
            throw ValidationError("Missing expected argument '<text>'; to type it at the terminal, say \"-\".")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if lines {
            try await sendLines(asking: node, printing: output)
        } else if !file.isEmpty {
            let files = try file.map { try FileToSend($0) }
            var ids: [String] = []
            for file in files {
                let put = try await file.put(into: node, printing: output)
                if put.isUnconverted {
                    output.say("\(TerminalText.line(put.name)) is sent as it is, with all that a camera wrote into it.")
                }
                ids.append(put.id)
            }
            let text = try TextSource(argument: text, option: givenText)?.read()
            let message = try await node.send(
                text, files: ids, to: conversation, replyTo: reply, clientID: Self.freshClientID())
            try output.answer(message) { [] }
        } else {
            let text = try (TextSource(argument: text, option: givenText) ?? .standardInput).read()
            let message = try await node.send(text, to: conversation, replyTo: reply, clientID: Self.freshClientID())
            try output.answer(message) { [] }
        }
    }

    /// What was sent by `--lines`, as JSON.
    private struct Summary: Encodable {
        var sent = 0
        var first: String?
        var last: String?
    }

    private func sendLines(asking node: LocalClient, printing output: Output) async throws {
        // Before the first line comes: whoever pipes a log into it should not learn of a wrong name hours later.
        let isToOneself = Designation(conversation) == .oneself
        let conversation =
            try await (isToOneself ? node.openDirect(with: OwnWord.me) : node.conversation(conversation)).id
        var batches = LineBatches(maximumLines: Self.burst)
        var summary = Summary()
        var hasEnded = false
        do {
            while !hasEnded {
                let bytes = Terminal.readInput()
                hasEnded = bytes.isEmpty
                if hasEnded { try batches.finish() } else { try batches.take(bytes) }
                // What is complete goes out as soon as nothing more is there to join it.
                while let batch = batches.next(partly: hasEnded || !Terminal.hasInput()) {
                    let sent = try await node.send(batch, to: conversation, clientID: Self.freshClientID())
                    summary.first = summary.first ?? sent.ids.first
                    summary.last = sent.ids.last ?? summary.last
                    summary.sent += sent.ids.count
                    output.progress("\(summary.sent) messages sent")
                }
            }
        } catch {
            throw stopped(by: error, after: summary)
        }
        output.progress("\(summary.sent) messages sent", isLast: true)
        try output.answer(summary) { [] }
    }

    /// Tells also how much was sent before it went wrong, so that nobody sends it twice.
    private func stopped(by error: any Error, after summary: Summary) -> any Error {
        switch error {
        case LineBatches.BadLine.tooLong(let line):
            return Failure(.textInvalid, "Line \(line) is too long", hint: "\(summary.sent) messages were sent before")
        case LineBatches.BadLine.notUnicode(let line):
            return Failure(
                .textInvalid, "Line \(line) is not UTF-8", hint: "\(summary.sent) messages were sent before")
        case LocalClientError.refused(var detail) where summary.sent > 0:
            detail.hint = [detail.hint, "\(summary.sent) messages were sent before"].compactMap(\.self)
                .joined(separator: "\n")
            return LocalClientError.refused(detail)
        case LocalClientError.connectionLost:
            return Failure(
                .networkError, "The node ended the connection",
                hint:
                    "\(summary.sent) messages were sent before, and up to \(Self.burst) more may have been: see moot read"
            )
        default:
            return error
        }
    }

    /// A name for one request, so that a repetition on the way sends nothing twice.
    private static func freshClientID() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
