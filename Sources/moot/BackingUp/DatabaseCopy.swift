import Glibc
import LocalAPIClient
import LocalAPIModel

/// A copy that the node of a home made of its database. It is removed with this value.
final class DatabaseCopy {
    let path: String

    private init(path: String) {
        self.path = path
    }

    deinit { unlink(path) }

    /// Has the copy made; nil where no node runs.
    ///
    /// - Parameter home: where the copy is. The node sees its home in another place where that is behind a link. Of what it says only a name is
    ///   believed: root asks nodes of others, and then reads and removes the file.
    /// - Throws: `storage_failed` where there is no copy of that name.
    static func make(in home: String, asking client: LocalClient) async throws -> DatabaseCopy? {
        guard let said = try await client.copyDatabaseIfRunning()?.path else { return nil }
        var place = stat()
        let name = said.split(separator: "/").last ?? ""
        let path = "\(home)/\(name)"
        guard name.hasPrefix("copy-"), lstat(path, &place) == 0, place.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .storageFailed,
                "The node says that it copied its database to \(TerminalText.line(said)): there is no such file in \(home)"
            )
        }
        return DatabaseCopy(path: path)
    }
}
