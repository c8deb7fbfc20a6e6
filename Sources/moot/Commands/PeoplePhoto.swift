import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people photo`
struct PeoplePhoto: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Save the photo a person shows.",
        discussion: "Your own photo is that of \"me\"; `moot profile set --photo FILE` changes it.")

    @Argument(help: "The person.", completion: .person)
    var person: String

    @Option(help: ArgumentHelp("Save the photo into this folder.", valueName: "dir"), completion: .directory)
    var save: String

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let saved = try await Interruption.ending { [person, save] in
            try await SavedFile.photo(into: save, asking: node) { try await node.person(person).photo }
        }
        guard let saved else { throw Self.refusal(about: try await node.person(person)) }
        try output.answer(saved) { [TerminalText.line(saved.path)] }
    }

    /// Why there is nothing to save.
    private static func refusal(about person: PersonDescription) -> Failure {
        let name = TerminalText.line(person.name)
        guard person.blocked else { return Failure(.fileNotFound, "\(name) shows no photo") }
        return Failure(
            .fileNotFound, "The photo of \(name), whom you blocked, is not shown",
            hint: "See it with: moot people unblock \(person.user.prefix(16))")
    }
}
