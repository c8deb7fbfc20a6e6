import ArgumentParser
import LocalAPIModel

/// A code that is worth something to whoever sees it: typed where it is not shown, read from standard input, or an
/// argument.
struct SecretCode: ParsableArguments {
    /// The longest code that is typed, in bytes.
    private static let maximumBytes = 4_096

    @Argument(
        help: """
            The code; "-" reads it from standard input. Without it you are asked, and what you type is not shown: as an argument, \
            others on this host can see it, and shells remember it.
            """)
    var code: String?

    /// Whether standard input has it.
    var isOnStandardInput: Bool { code == "-" }

    /// The code on the command line or on standard input; nil where it is to be typed.
    func given() throws -> String? {
        isOnStandardInput ? String(decoding: try InputFile(nil).read(), as: UTF8.self) : code
    }

    /// The code, without spaces and ends of lines, as it is given or typed.
    ///
    /// - Parameters:
    ///   - name: what kind of code it is.
    ///   - command: what takes it.
    /// - Throws: `code_invalid` where there is nobody to ask, or nothing is typed.
    func read(_ name: String, for command: String, _ common: CommonOptions) throws -> String {
        try (given() ?? Self.ask(name, for: command, common)).filter { !$0.isWhitespace }
    }

    /// Has the code typed.
    ///
    /// - Throws: `code_invalid` where there is nobody to ask, or nothing is typed.
    static func ask(_ name: String, for command: String, _ common: CommonOptions) throws(Failure) -> String {
        guard common.mayAsk else {
            throw Failure(
                .codeInvalid, "There is nobody to ask for the \(name)", hint: "Give it on standard input: \(command) -")
        }
        var room = [UInt8](repeating: 0, count: maximumBytes)
        let question = name.prefix(1).uppercased() + name.dropFirst() + " (not shown): "
        let count = try room.withUnsafeMutableBytes { room in
            Result { () throws(Failure) in
                try HiddenInput.read(
                    question: question, into: room, otherwise: Failure(.codeInvalid, "No \(name) was given"))
            }
        }.get()
        return String(decoding: room.prefix(count), as: UTF8.self)
    }
}
