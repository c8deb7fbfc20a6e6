import ArgumentParser
import Conversations
import Glibc
import LocalAPIClient
import LocalAPIModel

/// `moot files`
struct Files: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the files or links of a conversation, save files, cancel or retry fetching them.",
        discussion: """
            Files come by themselves from everybody in the conversation who has them. With --save what is still on its way is \
            waited for, and shown as it comes; what does not come is named, with the reason. A file that is only offered is \
            fetched when you name it. A file that is there already with the same bytes is not saved again; \
            another one with the same name gets a number. Links are those in the texts \
            of messages, the newest first.
            """)

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Argument(help: ArgumentHelp("Only these files: ids, or beginnings of them.", valueName: "file"))
    var ids: [String] = []

    @Option(help: ArgumentHelp("Only one kind: photo, video, file or link.", valueName: "kind"))
    var kind: Kind?

    @Option(help: ArgumentHelp("Save them into this folder.", valueName: "dir"), completion: .directory)
    var save: String?

    @Option(
        help: ArgumentHelp(
            "With --save, how long to wait for a file that nobody has who is connected, such as 30s or 1h; 10s by default.",
            valueName: "duration"))
    var wait: TimeSpan?

    @Flag(help: "Stop fetching the files named.")
    var cancel = false

    @Flag(help: "Fetch the files named that were canceled or failed.")
    var retry = false

    @Option(help: "The most messages to print the links of, up to 100; 50 by default.")
    var limit: Int?

    @Option(help: ArgumentHelp("Only links that came before this message.", valueName: "msg"))
    var before: String?

    @OptionGroup var common: CommonOptions

    /// Seconds to wait for somebody who has a file: peers are found again within a few after a start.
    private static let defaultWait = 10

    /// What is listed.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case photo, video, file, link

        /// The kind of file; nil for a link.
        var ofFile: FileDescription.Kind? {
            switch self {
            case .photo: .photo
            case .video: .video
            case .file: .file
            case .link: nil
            }
        }
    }

    func validate() throws {
        let wishes = [save != nil, cancel, retry].count { $0 }
        if wishes > 1 { throw ValidationError("--save, --cancel and --retry exclude each other.") }
        if kind == .link, wishes > 0 || !ids.isEmpty {
            throw ValidationError("Links are no files: they can only be listed.")
        }
        if kind != .link, limit != nil || before != nil {
            throw ValidationError("--limit and --before go with --kind link.")
        }
        if wait != nil, save == nil { throw ValidationError("--wait goes with --save.") }
        if cancel || retry, ids.isEmpty { throw ValidationError("Name the files to cancel or to retry.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        if kind == .link { return try await listLinks(asking: node, printing: output) }
        let files = try chosen(among: try await node.files(in: conversation, kind: kind?.ofFile))
        if cancel || retry {
            var changed: [FileDescription] = []
            for file in files {
                changed.append(
                    cancel ? try await node.cancelTransfer(of: file.id) : try await node.fetchFile(file.id))
            }
            return try output.answer(changed) { Self.table(changed).lines(output) }
        }
        guard let save else {
            try output.answer(files) { Self.table(files).lines(output) }
            if files.isEmpty { output.say("There are no files.") }
            return
        }
        try await self.save(files, into: save, asking: node, printing: output)
    }

    private func listLinks(asking node: LocalClient, printing output: Output) async throws {
        let page = try await node.links(in: conversation, before: before, limit: limit ?? 50)
        try output.answer(page) { page.links.map { $0.line(output) } }
        if page.links.isEmpty {
            output.say("There are no links.")
        } else if let earlier = page.earlier {
            output.say("There is more: repeat the command with --before \(earlier)")
        }
    }

    /// Saves what can be had, and says of the rest why it cannot.
    private func save(
        _ files: [FileDescription], into folder: String, asking node: LocalClient, printing output: Output
    ) async throws {
        var seen: Set<String> = []
        // A file that was sent again is the same file.
        var wanted = files.filter { seen.insert($0.id).inserted }
        guard let conversation = wanted.first?.conversation else {
            try output.answer([SavedFile]()) { [] }
            return output.say("There are no files.")
        }
        if !ids.isEmpty {
            // Naming a file asks for it.
            for place in wanted.indices where wanted[place].state == .offered {
                wanted[place] = try await node.fetchFile(wanted[place].id)
            }
        }
        let saving = FileSaving(node: node, conversation: conversation, folder: folder, output: output)
        let timeout = Duration.seconds(wait?.seconds ?? Self.defaultWait)
        let outcome = try await Interruption.ending { [wanted] in try await saving.save(wanted, timeout: timeout) }
        try output.answer(outcome.saved) { outcome.saved.map { TerminalText.line($0.path) } }
        for refusal in outcome.refusals { output.report(refusal) }
        let statuses = outcome.refusals.map { ExitStatus.of(code: $0.code) }
        // To try again is worth it only where nothing was refused for good.
        if let status = statuses.first(where: { $0 != .tryAgain }) ?? statuses.first { throw ExitCode(status.rawValue) }
    }

    private func chosen(among files: [FileDescription]) throws -> [FileDescription] {
        guard !ids.isEmpty else { return files }
        return try ids.map { id in
            let found = files.filter { $0.id.hasPrefix(id) }
            guard let file = found.first else {
                throw Failure(.fileNotFound, "There is no file \(id) in this conversation")
            }
            guard Set(found.map(\.id)).count == 1 else {
                throw Failure(.ambiguousName, "\"\(id)\" may mean several files", hint: "Give more of the id.")
            }
            return file
        }
    }

    private static func table(_ files: [FileDescription]) -> Table {
        var table = Table("NAME", "SIZE", "KIND", "STATE", "ID", "MESSAGE")
        for file in files {
            let done = file.size == 0 ? 0 : file.received * 100 / file.size
            let state = file.state == .here ? "here" : "\(file.state) \(done) %"
            table.add(
                file.name, TerminalText.size(file.size), file.kind.rawValue,
                file.error.map { "\(state), \($0)" } ?? state,
                String(file.id.prefix(12)), String((file.message ?? "").prefix(12)))
        }
        return table
    }
}

extension LinkDescription {
    /// For example `2026-11-21 12:03 Alice: https://example.org (5a6bf28a)`.
    fileprivate func line(_ output: Output) -> String {
        let time = LocalTime(sentAt).map { "\($0.day) \($0.clock)" } ?? "-"
        return
            "\(time) \(output.bold(TerminalText.line(senderName ?? OwnWord.unknown.rawValue))): \(TerminalText.line(url)) "
            + output.faint("(\(message.prefix(8)))")
    }
}
