import Foundation

/// A folder for one test, removed with everything in it when the last reference goes.
final class Scratch: Sendable {
    let path: String

    /// The name stays short because Unix socket addresses do: their paths end at 107 bytes.
    init() throws {
        let parent = FileManager.default.temporaryDirectory
        path = parent.appending(path: "moot-\(String(UInt32.random(in: .min ... .max), radix: 36))").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            FileHandle.standardError.write(Data("could not remove \(path): \(error)\n".utf8))
        }
    }
}
