/// What somebody meant who wrote a command that there is not, or an option before the command.
struct CommandSuggestion {
    /// The program.
    let root: CommandDeclaration

    /// What to tell them; nil where the command is one that there is, so that something else is wrong.
    func sentence(about arguments: [String]) -> String? {
        var (path, command) = ([root.commandName], root)
        var rest = arguments[...]
        if rest.first == "help" { rest.removeFirst() }
        while !command.commands.isEmpty {
            let options = Self.takeOptions(from: &rest, before: command)
            guard let word = rest.first, !word.hasPrefix("-") else { return nil }
            guard let next = command.command(named: word) else {
                let takesIt = command.meantAlone.takes.contains { $0.kind == .positional }
                return takesIt ? nil : sentence(about: word, behind: path, below: command)
            }
            guard options.isEmpty else {
                let operands = rest.prefix { $0 != "--" }
                let words = path + operands + options + rest.dropFirst(operands.count)
                return "Options stand behind the command: \(words.map(ShellWord.quoted).joined(separator: " "))"
            }
            rest.removeFirst()
            path.append(word)
            command = next
        }
        return nil
    }

    /// Takes the options that stand before the name of a command, with their values; none that the command itself has.
    private static func takeOptions(
        from rest: inout ArraySlice<String>, before command: CommandDeclaration
    ) -> [String] {
        var options: [String] = []
        while let argument = rest.first, argument.hasPrefix("--"), argument != "--", command.option(argument) == nil,
            let option = command.optionAnywhere(argument)
        {
            options.append(rest.removeFirst())
            if option.kind == .option, !argument.contains("="), let value = rest.popFirst() { options.append(value) }
        }
        return options
    }

    private func sentence(about word: String, behind path: [String], below command: CommandDeclaration) -> String {
        let written = (path + [ShellWord.quoted(word)]).joined(separator: " ")
        let meant = Self.path(to: word, from: root) ?? Self.nearest(to: word, below: command).map { path + [$0] }
        guard let meant else { return "There is no command '\(written)'." }
        return "There is no command '\(written)'. Did you mean '\(meant.joined(separator: " "))'?"
    }

    /// The command whose name is most like a word; nil where none is much like it.
    private static func nearest(to word: String, below command: CommandDeclaration) -> String? {
        // A whole text is no misspelt name.
        guard word.count <= 40 else { return nil }
        let word = word.lowercased()
        let names = command.commands.map { (name: $0.commandName, distance: distance(word, $0.commandName)) }
        // A letter is left out more often than a wrong one is written: of two as near, the longer name.
        if let near = names.min(by: { ($0.distance, -$0.name.count, $0.name) < ($1.distance, -$1.name.count, $1.name) }
        ),
            near.distance <= max(1, word.count / 3), near.distance < word.count
        {
            return near.name
        }
        let begun = names.filter { word.count >= 3 && $0.name.hasPrefix(word) }
        return begun.count == 1 ? begun[0].name : nil
    }

    /// The way to a command of exactly this name, wherever it is.
    private static func path(to name: String, from command: CommandDeclaration) -> [String]? {
        if command.commandName == name { return [name] }
        let below = command.commands.lazy.compactMap { path(to: name, from: $0) }.first
        return below.map { [command.commandName] + $0 }
    }

    /// How many letters were left out, added, replaced or swapped with the next one to make one word of another: the
    /// distance of optimal string alignment.
    static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let replaced = rows[i][j] + (one[i] == other[j] ? 0 : 1)
                var least = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
