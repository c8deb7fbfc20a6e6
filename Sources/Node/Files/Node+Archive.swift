import Blobs
import Conversations
import NodeCore
import Storage

extension Node {
    /// What opens some files of a conversation, with their names, and what the conversation is called: for a download of all of them.
    ///
    /// - Parameter ids: their ids, or unique beginnings.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `file_not_found` for what the conversation does not show; `not_here`, `no_peer` and `canceled`
    ///   for what is not here, or not all of it; `storage_failed`.
    /// - Complexity: O(*n*) in the files of the conversation.
    package func openableFiles(
        _ ids: [String], in conversation: String
    ) throws(NodeError) -> (files: [(reference: BlobReference, name: String)], title: String) {
        let replica = try replica(named: conversation)
        var names: [BlobAddress: String] = [:]
        do throws(StoreError) {
            for shown in try shownFiles(in: replica) { names[shown.file.reference.address] = shown.file.name }
        } catch {
            throw NodeError(error)
        }
        let files = try ids.map { id throws(NodeError) in
            let reference = try openableFile(id).reference
            guard let name = names[reference.address] else { throw NodeError(.fileNotFound, "File not found") }
            return (reference, FileName.sanitized(name))
        }
        return (files, FileName.sanitized(title(of: replica)))
    }
}
