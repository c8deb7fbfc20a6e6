/// Tells texts that begin with a dash from options, before the arguments are parsed.
///
/// By itself the argument parser takes "- buy hooks" for a bundle of one-letter options. One of them is "-h", so it
/// would print help and succeed, and a script would believe that it sent a message.
///
/// An argument that begins with a dash is text if it has a space in it and is no `--option=value`, or if it has one
/// dash and stands where the command takes a text, or if it is the value of an option. Everything behind `--` is text,
/// as ever.
struct CommandLineText {
    /// An argument that begins with one dash, and is neither an option nor where a text is taken.
    struct UnknownOption: Error, Hashable {
        let argument: String
    }

    /// What operands are called that may be any text.
    private static let texts: Set<String> = ["text", "words", "name"]

    /// The program.
    let root: CommandDeclaration

    /// The arguments in an order and a form in which every parser understands them alike; as they are, where they say
    /// it already.
    func rewriting(_ arguments: [String]) throws(UnknownOption) -> [String] {
        guard Self.isAmbiguous(arguments) else { return arguments }
        var (path, command) = ([String](), root)
        while let next = arguments.dropFirst(path.count).first.flatMap(command.command(named:)) {
            path.append(next.commandName)
            command = next
        }
        let sorted = try Sorted(arguments.dropFirst(path.count), of: command.meantAlone)
        return sorted.isChanged ? path + sorted.options + ["--"] + sorted.operands : arguments
    }

    /// Whether an argument could be taken for options that is none.
    static func isAmbiguous(_ arguments: [String]) -> Bool {
        // The scripts that complete commands in a shell ask by "---completion".
        guard arguments.first?.hasPrefix("---") != true else { return false }
        return arguments.prefix { $0 != "--" }.contains { hasOneDash($0) || isLikeText($0) }
    }

    private static func hasOneDash(_ argument: String) -> Bool {
        argument.hasPrefix("-") && !argument.hasPrefix("--") && argument != "-"
    }

    /// Whether an argument that begins with a dash looks like no option: none has a space in it or three dashes.
    private static func isLikeText(_ argument: String) -> Bool {
        argument.hasPrefix("-") && (argument.contains(where: \.isWhitespace) || argument.hasPrefix("---"))
    }

    /// Arguments of a command, options apart from operands.
    private struct Sorted {
        var options: [String] = []
        var operands: [String] = []
        /// Whether something is among them that only looks like an option.
        var isChanged = false

        init(_ arguments: ArraySlice<String>, of command: CommandDeclaration) throws(UnknownOption) {
            var rest = arguments
            while let argument = rest.popFirst() {
                if argument == "--" {
                    operands += rest
                    return
                }
                if !argument.hasPrefix("-") || argument == "-" {
                    operands.append(argument)
                } else if let option = command.option(argument), argument.hasPrefix("--") {
                    takeOption(argument, option, &rest)
                } else if CommandLineText.isText(argument, as: operands.count, of: command) {
                    operands.append(argument)
                    isChanged = true
                } else if hasOneDash(argument), command.option(argument) == nil {
                    throw UnknownOption(argument: argument)
                } else {
                    // Help, or an option that the parser will not know and say so.
                    options.append(argument)
                }
            }
        }

        /// Takes an option with its value, which may begin with a dash too.
        private mutating func takeOption(
            _ argument: String, _ option: CommandDeclaration.Argument, _ rest: inout ArraySlice<String>
        ) {
            options.append(argument)
            guard option.kind == .option, !argument.contains("="), let value = rest.first else { return }
            if hasOneDash(value) || isLikeText(value) {
                options[options.count - 1] = "\(argument)=\(value)"
                isChanged = true
            } else if value.hasPrefix("--") {
                // The value is missing, which the parser says.
                return
            } else {
                options.append(value)
            }
            rest.removeFirst()
        }
    }

    /// Whether an argument that is no option of a command is text, as an operand behind so many others.
    private static func isText(_ argument: String, as place: Int, of command: CommandDeclaration) -> Bool {
        // "--flie=my photo.jpg" is a misspelt option, whatever its value.
        if argument.prefix(while: { !$0.isWhitespace }).contains(/^--[a-z][a-z-]*=/) { return false }
        if argument.contains(where: \.isWhitespace) { return true }
        guard hasOneDash(argument) || argument.hasPrefix("---") else { return false }
        // "moot search -h" asks for help; "moot edit ID -h" says what the text is.
        if place == 0, argument == "-h" { return false }
        let operands = command.takes.filter { $0.kind == .positional }
        guard
            let operand = place < operands.count
                ? operands[place] : operands.last.flatMap({ $0.isRepeating ? $0 : nil })
        else { return false }
        return operand.valueName.map(texts.contains) ?? false
    }
}
