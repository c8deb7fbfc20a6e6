import Glibc

/// Paths as people type them in a chat: `~` is their home, and a backslash takes a space as it is.
enum PathSearch {
    /// The most names of a folder that are looked at.
    private static let maximumNames = 10_000

    /// The path that was typed.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// The paths that begin as one does that is being typed, as they would be typed; folders end with a slash.
    static func paths(beginning typed: String) -> [String] {
        let plain = typed.replacing("\\ ", with: " ")
        let folder = plain.lastIndex(of: "/").map { String(plain[...$0]) } ?? ""
        let beginning = plain.dropFirst(folder.count)
        guard let stream = opendir(folder.isEmpty ? "." : expanded(folder)) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        for _ in 0..<maximumNames {
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // What begins with a dot is hidden until it is asked for.
            guard name != ".", name != "..", name.hasPrefix(beginning), !name.hasPrefix(".") || beginning.hasPrefix(".")
            else { continue }
            var status = stat()
            let isFolder = stat(expanded(folder) + name, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            // A name that would not come out of the line as it is cannot be typed.
            guard name == TerminalText.line(name) else { continue }
            found.append((folder + name).replacing(" ", with: "\\ ") + (isFolder ? "/" : ""))
        }
        return found.sorted()
    }
}
