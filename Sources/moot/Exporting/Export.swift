import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot export`
struct Export: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a conversation and its files into a folder, to read without Moot.",
        discussion: """
            The folder has its name once all of it is written; until then, and where that fails, nothing is there. Files that \
            are not on this node are named and left out. What you write is not sealed: whoever reads the folder reads the \
            conversation. The node goes on meanwhile.
            """)

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Option(help: ArgumentHelp("The folder: a new one, or an empty one.", valueName: "dir"), completion: .directory)
    var to: String

    @Option(help: "What to write: html, a page for browsers; text, as moot read prints it; json, for programs.")
    var format: Format = .html

    @OptionGroup var common: CommonOptions

    /// What is written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case html, text, json

        /// An empty document.
        var document: any ExportDocument {
            switch self {
            case .html: HTMLExport()
            case .text: TextExport()
            case .json: JSONExport()
            }
        }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let (name, folder, document) = (conversation, to, format.document)
        let export = try await Interruption.ending {
            let conversation = try await node.conversation(name)
            var export = ConversationExport(of: conversation, as: document, asking: node, telling: output)
            return try await export.write(to: folder)
        }
        try output.changed(export, export.sentence)
    }
}

/// What was exported, for programs.
struct ExportDescription: Encodable, Sendable {
    /// The folder.
    let path: String
    /// The document in it.
    let document: String
    let messages: Int
    let files: Int
    /// Files that were not on this node.
    let missingFiles: Int

    /// The same for people.
    var sentence: String {
        var words =
            "\(TerminalText.line(document)) has \(TerminalText.count(messages, "message"))"
        if files > 0 { words += ", with \(TerminalText.count(files, "file")) next to it" }
        if missingFiles > 0 {
            words +=
                "; \(TerminalText.count(missingFiles, "file")) \(missingFiles == 1 ? "is" : "are") not on this node"
        }
        return words + "."
    }
}
