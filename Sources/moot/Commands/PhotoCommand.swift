import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot photo`
struct PhotoCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Change, remove or save a group's photo.",
        discussion: """
            A JPEG or PNG picture becomes the photo without anything else that is in its file, such as where it was taken, and \
            not larger than 2,048 pixels a side.
            """)

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @Argument(help: ArgumentHelp("The picture.", valueName: "file"), completion: .file())
    var picture: String?

    @Flag(help: "Take the photo away.")
    var remove = false

    @Option(help: ArgumentHelp("Save the photo into this folder.", valueName: "dir"), completion: .directory)
    var save: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [picture != nil, remove, save != nil].count(where: { $0 }) == 1 else {
            throw ValidationError("Give a picture, --remove or --save DIR.")
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if let save { return try await self.save(into: save, asking: node, printing: output) }
        var file: FileDescription?
        if let picture { file = try await FileToSend(picture).put(into: node, printing: output, asPart: true) }
        let changed = try await node.change(conversation, photo: file?.id ?? "")
        let title = TerminalText.line(changed.title)
        try output.changed(changed, "You \(remove ? "removed" : "changed") the photo of \(title).")
    }

    private func save(into folder: String, asking node: LocalClient, printing output: Output) async throws {
        let saved = try await Interruption.ending { [conversation] in
            try await SavedFile.photo(into: folder, asking: node) { try await node.conversation(conversation).photo }
        }
        guard let saved else { throw Failure(.fileNotFound, "The conversation has no photo") }
        try output.answer(saved) { [TerminalText.line(saved.path)] }
    }
}
