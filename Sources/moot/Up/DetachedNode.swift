import CProcess
import Cryptography
import Glibc
import LocalAPIClient
import LocalAPIModel

/// Starts this program again in the background, and waits for its word that it is ready.
///
/// The new process leads a session of its own, so closing the terminal does not end it; it reads nothing else and
/// writes into the log file. A pipe takes it the passphrase. Another brings its first word, ``ReadyDescription`` or
/// ``ErrorDescription``, or the news that it ended.
struct DetachedNode {
    let logFile: String
    /// What guards the keys, if anything does.
    let passphrase: Passphrase?

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
        let (reading, writing) = try Self.makePipe()
        defer { close(reading) }
        do {
            defer { close(writing) }
            let input = try passphrase.map(Self.input)
            defer { if let input { close(input) } }
            try spawn(input: input, log: log, report: writing)
        }
        return try read(from: reading)
    }

    private static func makePipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(.networkError, "The system has no pipe left") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// The end of a pipe from which the passphrase can be read. It has room for one without anybody reading yet.
    private static func input(_ passphrase: Passphrase) throws(Failure) -> Int32 {
        let (reading, writing) = try makePipe()
        defer { close(writing) }
        guard passphrase.withUnsafeBytes({ write(writing, $0.baseAddress, $0.count) }) == passphrase.count else {
            close(reading)
            throw Failure(.networkError, "The passphrase cannot be handed over")
        }
        return reading
    }

    /// Sends a first word to whoever started this process; it is a line of JSON.
    static func tell(_ word: some Encodable, to descriptor: Int32) {
        guard let json = try? WireFormat.encode(word) else { return }
        // Whoever waited may be gone; that changes nothing for the node.
        _ = json.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    private func openLog() throws -> Int32 {
        try OwnPath.require(logFile)
        var folder = ""
        for part in logFile.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        let descriptor = open(logFile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw Failure(
                .permissionDenied, "The log file \(logFile) cannot be written: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private func spawn(input: Int32?, log: Int32, report: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, Terminal.Stream.input.rawValue)
        } else {
            posix_spawn_file_actions_addopen(&actions, Terminal.Stream.input.rawValue, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, log, Terminal.Stream.output.rawValue)
        posix_spawn_file_actions_adddup2(&actions, log, Terminal.Stream.error.rawValue)
        posix_spawn_file_actions_adddup2(&actions, report, Self.reportDescriptor)
        // Whatever else whoever started us left open is not the node's to keep open.
        _ = moot_close_from(&actions, Self.reportDescriptor + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.ownSession)

        // Of an option given twice the last counts.
        let words =
            CommandLine.arguments.filter { $0 != "--detach" } + ["--report-to", "\(Self.reportDescriptor)"]
            + (input == nil ? [] : ["--passphrase-file", "-"])
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
