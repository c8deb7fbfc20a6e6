import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot send`
struct Send: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a message, or files.",
        discussion: """
            With --lines every line of standard input becomes a message; blank lines are skipped. Lines that arrive \
            together are sent together, up to 1,000 in one commit.
            """)

    /// The most lines of one commit: enough that signing and syncing cost little for each, few enough that others see the
    /// first ones soon.
    private static let burst = 1_000

    @Argument(help: "The conversation.")
    var conversation: String

    @Argument(help: "The text; \"-\" or nothing reads it from standard input.")
    var text: String?

    @Option(help: ArgumentHelp("The message this one answers.", valueName: "msg"))
    var reply: String?

    @Option(help: ArgumentHelp("A file to send, up to 100 MiB; may be given several times.", valueName: "file"))
    var file: [String] = []

    @Flag(help: "Send each line of standard input as a message of its own.")
    var lines = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if lines, text.map({ $0 != "-" }) ?? false {
            throw ValidationError("--lines reads from standard input and takes no text.")
        }
        if lines, reply != nil {
            throw ValidationError("--lines and --reply exclude each other.")
        }
        if lines, !file.isEmpty {
            throw ValidationError("--lines and --file exclude each other.")
        }
        if file.count > APILimits.filesPerMessage {
            throw ValidationError("A message carries at most \(APILimits.filesPerMessage) files.")
        }
        if text == nil, file.isEmpty, !lines, Terminal.isTerminal(.input) {
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
                if put.isAsItWas {
                    output.say("\(TerminalText.line(put.name)) is sent as it is, with all that a camera wrote into it.")
                }
                ids.append(put.id)
            }
            let text = text == "-" ? try Self.wholeInput() : text
            let message = try await node.send(
                text, files: ids, to: conversation, replyTo: reply, clientID: Self.freshClientID())
            try output.answer(message) { [] }
        } else {
            let text = try self.text.flatMap { $0 == "-" ? nil : $0 } ?? Self.wholeInput()
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

    /// All of standard input as one text, without the line break at its end.
    static func wholeInput() throws -> String {
        var bytes: [UInt8] = []
        while bytes.count <= LineBatches.maximumLineBytes {
            let more = Terminal.readInput()
            guard !more.isEmpty else { break }
            bytes += more
        }
        guard bytes.count <= LineBatches.maximumLineBytes else { throw Failure(.textInvalid, "The text is too long") }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.textInvalid, "The text is not UTF-8")
        }
        return text
    }

    /// A name for one request, so that a repetition on the way sends nothing twice.
    private static func freshClientID() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
