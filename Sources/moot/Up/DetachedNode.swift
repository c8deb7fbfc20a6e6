import Glibc
import LocalAPI
import Node
import NodeCore

/// Starts this program again in the background, and waits for its word that it is ready.
///
/// The new process leads a session of its own, so closing the terminal does not end it; it reads nothing and writes into
/// the log file. A pipe brings its first word, ``ReadyDescription`` or ``ErrorDescription``, or the news that it ended.
struct DetachedNode {
    let logFile: String

    /// The number under which the new process has its end of the pipe.
    private static let reportDescriptor: Int32 = 3

    /// `POSIX_SPAWN_SETSID`, whose C macro Swift does not see.
    private static let ownSession: Int16 = 0x80

    /// Starts the node.
    ///
    /// - Throws: ``Failure`` or what the node reports.
    func start() throws -> ReadyDescription {
        let log = try openLog()
        defer { close(log) }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(.networkError, "The system has no pipe left") }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reading) }
        do {
            defer { close(writing) }
            try spawn(log: log, report: writing)
        }
        return try read(from: reading)
    }

    /// Sends a first word to whoever started this process; it is a line of JSON.
    static func tell(_ word: some Encodable, to descriptor: Int32) {
        guard let json = try? WireFormat.encode(word) else { return }
        // Whoever waited may be gone; that changes nothing for the node.
        _ = json.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    private func openLog() throws -> Int32 {
        var folder = ""
        for part in logFile.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        let descriptor = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(.permissionDenied, "The log file \(logFile) cannot be written") }
        return descriptor
    }

    private func spawn(log: Int32, report: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, Terminal.Stream.input.rawValue, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, log, Terminal.Stream.output.rawValue)
        posix_spawn_file_actions_adddup2(&actions, log, Terminal.Stream.error.rawValue)
        posix_spawn_file_actions_adddup2(&actions, report, Self.reportDescriptor)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.ownSession)

        let words = CommandLine.arguments.filter { $0 != "--detach" } + ["--report-to", "\(Self.reportDescriptor)"]
        var arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var process: pid_t = 0
        let result = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, arguments, environ)
        guard result == 0 else { throw Failure(.networkError, "The node cannot be started: error \(result)") }
    }

    private func read(from descriptor: Int32) throws -> ReadyDescription {
        var word: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count > 0 { word += piece.prefix(count) }
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        if let ready = try? WireFormat.decode(ReadyDescription.self, from: word) { return ready }
        if let error = try? WireFormat.decode(ErrorDescription.self, from: word) {
            throw LocalClientError.refused(error.error)
        }
        throw Failure(.storageFailed, "The node ended before it was ready", hint: "See \(logFile)")
    }
}
