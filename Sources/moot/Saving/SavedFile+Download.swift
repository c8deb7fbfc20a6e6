import LocalAPI
import Node

extension SavedFile {
    /// Saves a file that is here into a folder.
    init(_ file: FileDescription, into folder: String, asking node: LocalClient) async throws {
        let target = try FileTarget(named: file.name, in: folder)
        try await node.download(file.id) { bytes in try target.write(bytes) }
        self.init(id: file.id, path: try target.finish())
    }
}
