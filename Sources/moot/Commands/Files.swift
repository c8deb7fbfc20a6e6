import ArgumentParser
import Glibc
import LocalAPI
import Node
import NodeCore

/// `moot files`
struct Files: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the files of a conversation, save them, cancel or retry fetching them.",
        discussion: """
            Files come by themselves from everybody in the conversation who has them. With --save what is still on its way is \
            waited for, and shown as it comes. Files with a name that is there already get a number.
            """)

    @Argument(help: "The conversation.")
    var conversation: String

    @Argument(help: ArgumentHelp("Only these files: ids, or beginnings of them.", valueName: "file"))
    var ids: [String] = []

    @Option(help: ArgumentHelp("Only photos, videos or other files: photo, video or file.", valueName: "kind"))
    var kind: Kind?

    @Option(help: ArgumentHelp("Save them into this folder.", valueName: "dir"))
    var save: String?

    @Flag(help: "Stop fetching the files named.")
    var cancel = false

    @Flag(help: "Fetch the files named that were cancelled or failed.")
    var retry = false

    @OptionGroup var common: CommonOptions

    /// What a file is.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case photo, video, file
    }

    func validate() throws {
        let wishes = [save != nil, cancel, retry].count { $0 }
        if wishes > 1 { throw ValidationError("--save, --cancel and --retry exclude each other.") }
        if cancel || retry, ids.isEmpty { throw ValidationError("Name the files to cancel or to retry.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let files = try chosen(among: try await node.files(in: conversation, kind: kind?.rawValue).files)
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
        var saved: [SavedFile] = []
        for file in files {
            try await wait(for: file, asking: node, printing: output)
            let target = try FileTarget(named: file.name, in: save)
            try await node.download(file.id) { bytes in try target.write(bytes) }
            saved.append(SavedFile(id: file.id, path: try target.finish()))
        }
        try output.answer(saved) { saved.map { TerminalText.line($0.path) } }
        if saved.isEmpty { output.say("There are no files.") }
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

    /// Waits until all of a file is here, and shows how it comes.
    private func wait(for file: FileDescription, asking node: LocalClient, printing output: Output) async throws {
        guard try !isHere(file) else { return }
        var bar = ProgressBar(file.name, total: file.size, on: output)
        bar.show(file.received)
        /// Ends following.
        struct Arrived: Error {}
        do {
            try await node.follow {
                // What came between the list and the stream is in no event.
                let now = try await node.files(in: conversation).files.first { $0.id == file.id }
                if try isHere(now ?? file) { throw Arrived() }
            } _: { event in
                guard let now = event.file, now.id == file.id else { return }
                bar.show(now.received)
                if try isHere(now) { throw Arrived() }
            }
            throw LocalClientError.connectionLost
        } catch is Arrived {
            bar.show(file.size)
        }
    }

    private func isHere(_ file: FileDescription) throws(Failure) -> Bool {
        switch file.state {
        case "here": return true
        case "cancelled":
            throw Failure(.cancelled, "\(file.name) was cancelled", hint: "Fetch it with: moot files CONV ID --retry")
        default: return false
        }
    }

    private static func table(_ files: [FileDescription]) -> Table {
        var table = Table("NAME", "SIZE", "KIND", "STATE", "ID", "MESSAGE")
        for file in files {
            let done = file.size == 0 ? 0 : file.received * 100 / file.size
            let state = file.state == "here" ? "here" : "\(file.state) \(done) %"
            table.add(
                file.name, TerminalText.size(file.size), file.kind, file.error.map { "\(state), \($0)" } ?? state,
                String(file.id.prefix(12)), String((file.message ?? "").prefix(12)))
        }
        return table
    }
}
