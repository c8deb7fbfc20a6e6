import Glibc
import KeyStore
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
    /// - Parameter home: where the copy is. The node sees its home in another place where that is behind a link. Of
    ///   what it says only a name is believed: root asks nodes of others, and then reads and removes the file.
    /// - Throws: `storage_failed` where there is no copy of that name, of whoever owns the home.
    static func make(in home: String, asking client: LocalClient) async throws -> DatabaseCopy? {
        guard let said = try await client.copyDatabaseIfRunning()?.path else { return nil }
        guard let copy = find(said.split(separator: "/").last.map(String.init) ?? "", in: home) else {
            throw Failure(
                .storageFailed,
                "The node says that it copied its database to \(TerminalText.line(said)): there is no such file in \(home)"
            )
        }
        return copy
    }

    /// The copy of a name; nil where no such file of the home's owner is there.
    static func find(_ name: String, in home: String) -> DatabaseCopy? {
        var place = stat()
        let folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        defer { close(file) }
        guard name.hasPrefix("copy-"), Home.mayRead(folder, asOneOf: home), Home.mayRead(file, asOneOf: home),
            fstat(file, &place) == 0, place.st_mode & S_IFMT == S_IFREG
        else {
            close(folder)
            return nil
        }
        return DatabaseCopy(name, in: folder)
    }
}
