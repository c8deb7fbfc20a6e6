import Blobs
import Conversations
import Cryptography
import NodeCore
import OperationLog
import Storage

extension Node {
    /// What opens some files of a conversation, with their names, and what the conversation is called: for a download
    /// of all of them.
    ///
    /// - Parameter ids: their ids, or unique beginnings.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `file_not_found` for what the conversation does not show;
    ///   `not_here`, `no_peer` and `canceled` for what is not here, or not all of it; `storage_failed`.
    /// - Complexity: O((*n* + *m*) log *n*) for *m* of *n* files of the conversation.
    package func openableFiles(
        _ ids: [String], in conversation: String
    ) throws(NodeError) -> (files: [(reference: BlobReference, name: String)], title: String) {
        let replica = try replica(named: conversation)
        let shown: FilesByID
        do throws(StoreError) {
            shown = FilesByID(try shownFiles(in: replica).map(\.file))
        } catch {
            throw NodeError(error)
        }
        let files = try ids.map { id throws(NodeError) in
            let file = try shown.file(named: id)
            return (try openableFile(at: file.reference.address).reference, FileName.sanitized(file.name))
        }
        return (files, FileName.sanitized(title(of: replica)))
    }
}

/// Files in the order of their ids, to be found by beginnings of those.
private struct FilesByID {
    private let ids: [(text: String, file: Attachment)]

    /// Of a file that is there several times the last name counts.
    init(_ files: [Attachment]) {
        var found: [BlobAddress: Attachment] = [:]
        for file in files { found[file.reference.address] = file }
        ids = found.values.map { ($0.reference.address.root.hexadecimal, $0) }.sorted { $0.0 < $1.0 }
    }

    /// - Throws: `file_not_found`, `ambiguous_name`.
    func file(named text: String) throws(NodeError) -> Attachment {
        let found = ids[ids.insertionIndex { $0.text < text }...].prefix(2).prefix { $0.text.hasPrefix(text) }
        guard text.utf8.count >= 4, let first = found.first else {
            throw NodeError(.fileNotFound, "File not found")
        }
        guard found.count == 1 else { throw .ambiguousFile(text) }
        return first.file
    }
}
