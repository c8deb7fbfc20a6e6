import Dispatch
import Glibc

/// The desktop on which the program runs, if it does.
enum Desktop {
    /// Whether a browser would have somewhere to show its window.
    static var isThere: Bool {
        let variables: [String] = ["DISPLAY", "WAYLAND_DISPLAY"]
        return variables.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    /// What came of leading a browser somewhere.
    enum Outcome {
        /// The browser has read where to go, or had long enough to.
        case opened
        /// No file could be written to lead it there.
        case noPage
        /// The desktop started no browser.
        case noBrowser
    }

    /// Leads a browser to a secret address. Others of this machine see the arguments of every process, and whoever
    /// follows the address first is let in: so the browser finds it in a file that only the user can read.
    ///
    /// - Parameter runtime: The folder for that file.
    static func open(secret address: String, by runtime: String) async -> Outcome {
        guard let page = BrowserPage(leadingTo: address, in: runtime) else { return .noPage }
        defer { page.remove() }
        guard await open("file://" + page.path) else { return .noBrowser }
        await page.waitUntilRead()
        return .opened
    }

    /// Hands an address to the desktop, off the threads on which tasks run: some desktops answer when the browser's
    /// window is closed.
    private static func open(_ address: String) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "moot.desktop").async { continuation.resume(returning: start(address)) }
        }
    }

    /// Starts the desktop's program, which finds the browser, and waits for its end; what they say is not ours to
    /// print.
    private static func start(_ address: String) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Terminal.Stream in [.input, .output, .error] {
            posix_spawn_file_actions_addopen(&actions, stream.rawValue, "/dev/null", O_RDWR, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "xdg-open", &actions, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        return status == 0
    }
}
