import Glibc
import LocalAPIClient
import LocalAPIModel

/// A copy that the node of a home made of its database. It is removed with this value.
final class DatabaseCopy {
    /// The home, whatever comes under its name.
    private let folder: Int32
    private let name: String
    var path: String { "/proc/self/fd/\(folder)/\(name)" }

    private init(_ name: String, in folder: Int32) {
        (self.name, self.folder) = (name, folder)
    }

    deinit {
        unlinkat(folder, name, 0)
        close(folder)
    }

    /// Has the copy made; nil where no node runs.
    ///
    /// - Parameter home: where the copy is. The node sees its home in another place where that is behind a link. Of what it says only a name is
    ///   believed: root asks nodes of others, and then reads and removes the file.
    /// - Throws: `storage_failed` where there is no copy of that name.
    static func make(in home: String, asking client: LocalClient) async throws -> DatabaseCopy? {
        guard let said = try await client.copyDatabaseIfRunning()?.path else { return nil }
        var place = stat()
        let name = said.split(separator: "/").last.map(String.init) ?? ""
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard name.hasPrefix("copy-"), fstatat(folder, name, &place, AT_SYMLINK_NOFOLLOW) == 0,
            place.st_mode & S_IFMT == S_IFREG
        else {
            close(folder)
            throw Failure(
                .storageFailed,
                "The node says that it copied its database to \(TerminalText.line(said)): there is no such file in \(home)"
            )
        }
        return DatabaseCopy(name, in: folder)
    }
}
