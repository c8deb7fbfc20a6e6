import Dispatch
import Glibc

/// The editor that a user has chosen for texts, by `VISUAL` or `EDITOR`.
enum ExternalEditor {
    /// Lets the user change a text.
    ///
    /// The text is in a folder that only they can read, and is removed afterwards.
    ///
    /// - Returns: The text as it was left; nil where the editor could not be run, or said that it failed.
    static func edit(_ text: String) async -> String? {
        await withCheckedContinuation { continuation in
            // Off the threads on which tasks run: an editor is open for as long as somebody writes.
            DispatchQueue(label: "moot.editor").async { continuation.resume(returning: run(on: text)) }
        }
    }

    private static func run(on text: String) -> String? {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/moot-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { return nil }
        let path = folder + "/message.txt"
        defer {
            unlink(path)
            rmdir(folder)
        }
        guard write(text, to: path), spawn(on: path), let file = try? InputFile(path) else { return nil }
        var bytes: [UInt8] = []
        while let part = try? file.read(), !part.isEmpty, bytes.count < 1 << 20 { bytes += part }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Runs the editor by a shell, because the variables may have options in them.
    private static func spawn(on path: String) -> Bool {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this program listens to by itself would be ignored by the editor.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // And what the threads of this program do not hear, it would never hear either.
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let command = #"exec ${VISUAL:-${EDITOR:-vi}} "$1""#
        let words: [String] = ["sh", "-c", command, "sh", path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { word in strdup(word) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "sh", nil, &attributes, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}
