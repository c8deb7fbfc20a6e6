import CProcess
import Glibc
import Photos

/// A process that reads one picture. It is killed when nobody waits for it any more.
///
/// It gets the picture as its standard input and a file in memory as its standard output; no argument, no other
/// descriptor, and of the environment only where its libraries are.
struct PhotoProcess: ~Copyable {
    private let id: pid_t
    /// What it writes.
    let output: MemoryFile
    private var hasEnded = false

    /// Starts the process.
    init(program: String, input: borrowing MemoryFile) throws(PhotoError) {
        let output = try MemoryFile()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.descriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.descriptor, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        _ = moot_close_from(&actions, STDERR_FILENO + 1)
        var arguments = [strdup(program), nil]
        var environment = Self.environment.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var id: pid_t = 0
        guard posix_spawn(&id, program, &actions, nil, &arguments, &environment) == 0 else {
            throw .unavailable
        }
        self.id = id
        self.output = output
    }

    deinit {
        guard !hasEnded else { return }
        kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    }

    /// Waits until the process has ended well.
    ///
    /// - Throws: why it did not; ``PhotoError/timeout`` after so long.
    mutating func wait(for timeout: Duration) throws(PhotoError) {
        let descriptor = moot_process_descriptor(id)
        guard descriptor >= 0 else { throw .unavailable }
        defer { close(descriptor) }
        let end = ContinuousClock.now + timeout
        var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&ended, 1, Int32(clamping: max(0, Int64((end - ContinuousClock.now) / .milliseconds(1))))) != 1 {
            guard ContinuousClock.now < end else { throw .timeout }
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        hasEnded = true
        try Self.check(status)
    }

    /// What the system says of a process that has ended (wait(2)): in the lower seven bits the signal that killed it,
    /// above them its status.
    private static func check(_ status: Int32) throws(PhotoError) {
        switch (signal: status & 0x7F, status: status >> 8 & 0xFF) {
        case (0, EXIT_SUCCESS): return
        // 127 is what the start of a program answers that cannot be loaded.
        case (0, PhotoResponse.unconfinedStatus), (0, 127): throw .unavailable
        case (SIGXCPU, _): throw .timeout
        default: throw .broken
        }
    }

    /// Swift's backtracer is off: it needs rights that the process has given up.
    private static var environment: [String] {
        let libraries = getenv("LD_LIBRARY_PATH").map { "LD_LIBRARY_PATH=" + String(cString: $0) }
        return ["SWIFT_BACKTRACE=enable=no"] + (libraries.map { [$0] } ?? [])
    }
}
