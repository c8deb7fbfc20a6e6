import Foundation
import Glibc
import KeyStore
import LocalAPIClient
import Node
import NodeCore

/// The Unix socket's place in the file system: a folder only the owner may enter, a socket only they may open.
enum ServerSocket {
    /// Makes the folder private and removes what a dead node left behind.
    ///
    /// - Throws: ``NodeError`` with `home_in_use` if a node answers at the path, `bad_configuration` if the path is too
    ///   long or is something other than a socket, `permission_denied` if the folder cannot be made private, or another
    ///   user decides what it is.
    static func prepare(_ path: String) async throws(NodeError) {
        guard path.utf8.count <= LocalClient.maximumSocketPathBytes else {
            throw NodeError(
                .badConfiguration,
                "The path of the socket is longer than \(LocalClient.maximumSocketPathBytes) bytes: \(path)",
                hint: "Choose a shorter folder with --home")
        }
        let folder = URL(filePath: path).deletingLastPathComponent()
        // XDG_RUNTIME_DIR is made by the login, never by a node: one that a node made would be hidden by the next
        // login.
        guard access(folder.deletingLastPathComponent().path, F_OK) == 0 else {
            throw NodeError(
                .permissionDenied, "The folder \(folder.path) cannot be made", hint: "Choose another --home")
        }
        try Home.makeFolder(folder.path)
        // Of a link it tells that it is one, not where it leads.
        guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return }
        guard found[.type] as? FileAttributeType == .typeSocket else {
            throw NodeError(
                .badConfiguration, "\(path) is in the way: it is not a socket", hint: "Move it away, then try again")
        }
        guard await !LocalClient(socketPath: path).isAnswered() else {
            throw NodeError(
                .homeInUse, "A node is already running with this home", hint: "Stop it first, or choose another --home")
        }
        guard unlink(path) == 0 || errno == ENOENT else {
            throw NodeError(.permissionDenied, "\(path) is left from an earlier node and cannot be removed")
        }
    }

    /// Lets only the owner open the socket.
    static func restrict(_ path: String) throws(NodeError) {
        guard chmod(path, 0o600) == 0 else {
            throw NodeError(.permissionDenied, "The permissions of \(path) cannot be set")
        }
    }
}
