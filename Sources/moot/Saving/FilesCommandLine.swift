import LocalAPIModel

/// Commands about a file, for people to paste.
enum FilesCommandLine {
    /// Digits of an id that tell it from others.
    private static let digits = 16

    /// The command that goes on fetching it.
    static func retry(_ file: FileDescription) -> String { "\(beginning(file)) --retry" }

    /// The command that saves it.
    static func save(_ file: FileDescription, into folder: String) -> String {
        "\(beginning(file)) --save \(ShellWord.quoted(folder))"
    }

    private static func beginning(_ file: FileDescription) -> String {
        "moot files \((file.conversation ?? "").prefix(digits)) \(file.id.prefix(digits))"
    }
}
