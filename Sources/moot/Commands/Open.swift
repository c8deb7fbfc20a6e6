import ArgumentParser
import Glibc
import LocalAPI

/// `moot open`
struct Open: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the node in a browser of this machine.",
        discussion: """
            Prints an address and, on a desktop, opens it. Whoever follows it first within a minute is let in, until the node \
            stops; then it is worth nothing. The node must have been started with --web.
            """)

    @Flag(name: .customLong("print"), help: "Only print the address.")
    var isOnlyPrinted = false

    @Flag(help: "Print a bearer token for programs instead, good until the node stops.")
    var token = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if token, isOnlyPrinted { throw ValidationError("--token and --print exclude each other.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        guard !token else {
            let token = try await node.webToken()
            return try output.answer(token) { [token.token] }
        }
        let address = try await node.makeWebAddress()
        try output.answer(address) { [address.address] }
        guard !isOnlyPrinted, Self.hasDesktop else { return }
        if !Self.open(address.address) { output.say("No browser could be started; follow the address yourself.") }
    }

    /// Whether a browser would have somewhere to show its window.
    private static var hasDesktop: Bool {
        let variables: [String] = ["DISPLAY", "WAYLAND_DISPLAY"]
        return variables.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }

    /// Hands the address to the desktop, whose program finds the browser; what they say is not ours to print.
    private static func open(_ address: String) -> Bool {
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
