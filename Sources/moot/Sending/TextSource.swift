import ArgumentParser
import LocalAPIModel

/// Where a text comes from that a command takes: its argument, `--text`, or standard input.
enum TextSource: Hashable {
    /// It is this, whatever it begins with.
    case given(String)
    /// It is all that comes on standard input.
    case standardInput

    /// Chooses what the user named: as an argument "-" means standard input, as an option it is text like any other.
    ///
    /// - Returns: nil where they named nothing.
    init?(argument: String?, option: String? = nil) {
        guard let text = option ?? argument else { return nil }
        self = option == nil && text == "-" ? .standardInput : .given(text)
    }

    /// Refuses two texts at once.
    static func check(argument: String?, option: String?) throws {
        guard argument == nil || option == nil else {
            throw ValidationError("Give the text once: as an argument, or with --text.")
        }
    }

    /// The text; of standard input without the line break at its end.
    ///
    /// - Throws: `text_invalid` for what is too long or not UTF-8.
    func read() throws -> String {
        switch self {
        case .given(let text): return text
        case .standardInput: break
        }
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
}
