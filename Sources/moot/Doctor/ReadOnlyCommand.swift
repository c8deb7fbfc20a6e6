import Glibc

/// A program of the system that only prints, with fixed arguments.
enum ReadOnlyCommand {
    /// What came of it.
    enum Outcome: Equatable {
        /// There is no such program.
        case missing
        /// It ended with an error, or not in time: mostly it may be run by root only.
        case refused
        /// What it printed.
        case printed(String)
    }

    /// Longer outputs are cut.
    private static let maximumBytes = 4 << 20
    private static let timeout = 1.0
    /// Programs that look at the firewall are not on every user's path.
    private static let administration = ["/usr/sbin", "/sbin"]

    /// Runs a program.
    static func run(_ name: String, _ arguments: [String]) -> Outcome {
        let path = (Folders.processEnvironment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { String($0) }
        let places = (path + administration).map { "\($0)/\(name)" }
        guard let program = places.first(where: { $0.hasPrefix("/") && access($0, X_OK) == 0 }) else {
            return .missing
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .refused }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let process = start([program] + arguments, output: ends[1])
        close(ends[1])
        guard let process else { return .refused }
        let end = ContinuousClock.now + .seconds(timeout)
        let bytes = read(ends[0], until: end)
        // A program may also close its output and stay.
        guard wait(for: process, until: bytes == nil ? .now : end) == 0, let bytes else { return .refused }
        return .printed(String(decoding: bytes, as: UTF8.self))
    }

    private static func start(_ words: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Terminal.Stream in [.input, .error] {
            posix_spawn_file_actions_addopen(&actions, stream.rawValue, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, Terminal.Stream.output.rawValue)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Of a group of its own, so that what it starts can be ended with it.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        return posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ) == 0 ? process : nil
    }

    /// How a program ended; one that does not in time is ended, with what it started.
    private static func wait(for process: pid_t, until end: ContinuousClock.Instant) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if .now >= end { kill(-process, SIGKILL) }
            usleep(1_000)
        }
        return status
    }

    /// Reads to the end; nil if that does not come in time. Something that the program started may hold its output open
    /// for as long as it likes.
    private static func read(_ file: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        var (bytes, piece): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 16 << 10))
        while bytes.count < maximumBytes {
            let left = end - .now
            var waiting = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard left > .zero, poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { return nil }
            let count = Glibc.read(file, &piece, piece.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += piece.prefix(count)
        }
        return bytes
    }
}
