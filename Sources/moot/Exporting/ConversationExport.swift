import Foundation
import LocalAPIClient
import LocalAPIModel
import Node

/// Exports one conversation: asks the node for its files and then, page after page, for its messages.
struct ConversationExport {
    private let conversation: ConversationDescription
    private var document: any ExportDocument
    private let node: LocalClient
    private let output: Output

    /// Before every message of every conversation: no operation can claim an earlier time.
    private static let beginning = "2000-01-01T00:00:00Z"

    init(
        of conversation: ConversationDescription, as document: any ExportDocument, asking node: LocalClient,
        telling output: Output
    ) {
        (self.conversation, self.document) = (conversation, document)
        (self.node, self.output) = (node, output)
    }

    /// A line of JSON for programs.
    private struct Step: Encodable {
        let progress: String
        let messages: Int
    }

    /// Writes all of it.
    ///
    /// - Throws: `invalid_operation` where something is at the path, `disk_full`, `permission_denied`; then nothing is
    ///   there.
    /// - Complexity: O(*n*); a page of messages is in memory, and the names of all files.
    mutating func write(to path: String) async throws -> ExportDescription {
        let folder = try ExportFolder(path)
        let (files, missing) = try await saveFiles(to: "\(folder.path)/\(ExportedFiles.folder)")
        let target = try FileTarget(named: document.fileName, in: folder.path)
        let head = ExportHead(
            conversation: conversation, program: Node.version, time: Date().formatted(.iso8601))
        try target.write(document.beginning(head))
        let (count, gaps) = try await writeMessages(to: target, files)
        try target.write(document.end(gaps: gaps))
        let name = document.fileName
        _ = try target.finish()
        try folder.finish()
        return ExportDescription(
            path: path, document: "\(path)/\(name)", messages: count, files: files.count, missingFiles: missing)
    }

    /// Reads and writes a page of messages while the node writes the next one.
    private mutating func writeMessages(
        to target: FileTarget, _ files: ExportedFiles
    ) async throws -> (count: Int, gaps: [GapDescription]) {
        let (node, id) = (node, conversation.id)
        var encoded = try await node.encodedMessages(
            in: id, from: .moment(Self.beginning), limit: LocalClient.maximumPage)
        var count = 0
        while let later = encoded.later {
            try Task.checkCancellation()
            async let next = node.encodedMessages(in: id, from: .after(later), limit: LocalClient.maximumPage)
            _ = try write(encoded, to: target, files, &count)
            encoded = try await next
        }
        let gaps = try write(encoded, to: target, files, &count)
        output.eraseProgress()
        return (count, gaps)
    }

    /// - Returns: what is missing, as far as this page tells.
    private mutating func write(
        _ encoded: EncodedMessagePage, to target: FileTarget, _ files: ExportedFiles, _ count: inout Int
    ) throws -> [GapDescription] {
        let page = try encoded.decoded()
        try target.write(document.part(page.messages, files: files))
        count += page.messages.count
        tell(count)
        return page.gaps ?? []
    }

    private func tell(_ count: Int) {
        if output.isJSON {
            output.progress(Step(progress: "messages", messages: count))
        } else {
            output.progress(TerminalText.count(count, "message"))
        }
    }

    /// Saves the files that are here.
    ///
    /// - Returns: where they are, and how many are not here.
    private func saveFiles(to folder: String) async throws -> (files: ExportedFiles, missing: Int) {
        var files = ExportedFiles()
        var missing = 0
        let all = try await node.files(in: conversation.id)
        let size = all.reduce(0) { $0 + $1.size }
        var bar = ProgressBar("files", total: size, on: output, isErasedAtEnd: true)
        var done = 0
        for file in all {
            try Task.checkCancellation()
            // The same file sent once more, by the same name, is saved once.
            if files[file] == nil {
                if try await save(file, in: folder, &files) == false { missing += 1 }
            }
            done += file.size
            if size > 0 { bar.show(done) }
        }
        return (files, missing)
    }

    /// Saves a file; whether it was here.
    private func save(_ file: FileDescription, in folder: String, _ files: inout ExportedFiles) async throws -> Bool {
        guard file.state == .here else { return false }
        let name = files.claim(file)
        let target = try FileTarget(named: name, in: folder)
        do {
            try await node.download(file.id) { bytes in try target.write(bytes) }
        } catch LocalClientError.refused, LocalClientError.connectionLost {
            // It was deleted meanwhile, or a chunk of it is damaged on the disk of the node, which fetches that again.
            _ = try await node.health()
            return false
        }
        _ = try target.finish()
        files.note(file, as: name)
        return true
    }
}
