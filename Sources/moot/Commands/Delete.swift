import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot delete`
struct Delete: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete a message for everybody, or one of its files: your own, or as a moderator somebody else's.",
        discussion: """
            It cannot be undone. People who read the message have read it. A message that says nothing else is deleted with its last file.
            """)

    @Argument(help: "The message: its id or the beginning of it, as `moot read --ids` shows it.")
    var message: String

    @Option(help: "Only one file of it: 1 for the first one that `moot read` shows.")
    var file: Int?

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        guard let file else {
            return try output.changed(try await node.delete(message), "The message was deleted.")
        }
        let files = try await node.message(message).files
        guard (1...max(1, files.count)).contains(file), !files.isEmpty else {
            throw Failure(
                .fileNotFound,
                files.isEmpty
                    ? "The message carries no files" : "The message carries files 1 to \(files.count), not \(file)")
        }
        let changed = try await node.delete(file: files[file - 1].id, of: message)
        try output.changed(
            changed, changed.deleted ? "The message was deleted with its last file." : "The file was deleted.")
    }
}
