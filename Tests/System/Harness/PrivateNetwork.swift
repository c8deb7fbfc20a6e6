import Foundation
import Testing

/// Network namespaces joined by a bridge, and private mounts: hosts that discover each other, cables that can be
/// pulled and disks that can be full, with nothing visible outside and nothing left behind.
///
/// As root the namespaces are made directly, otherwise inside a user namespace where the system allows that.
final class PrivateNetwork: Sendable {
    /// A step of the set-up that failed.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Keeps the namespaces alive; they go with it.
    private let holder: Program
    private let scratch: Scratch

    /// Makes one host for every name, with the addresses 10.77.0.1, 10.77.0.2, … in the order of the names.
    init(hosts: [String] = []) async throws {
        scratch = try Scratch()
        // It ends by itself some time after the longest test, should this process be killed before it.
        let hold =
            "mount -t tmpfs moot-run /run && mkdir /run/netns && ip link set lo up && echo ready && exec sleep 900"
        let holder = try Program(
            Self.unshare + ["sh", "-c", hold], environment: Self.environment,
            output: scratch.file("out"), errors: scratch.file("err"))
        self.holder = holder
        while !holder.output.contains("ready") {
            guard holder.isRunning else { throw Failed(description: await holder.ended().errors) }
            try await Task.sleep(for: .milliseconds(5))
        }
        guard !hosts.isEmpty else { return }
        try await run("ip", "netns", "add", "lan")
        try await run(
            "ip", "-n", "lan", "link", "add", "bridge", "type", "bridge", "stp_state", "0", "forward_delay", "0")
        try await run("ip", "-n", "lan", "link", "set", "bridge", "up")
        for (index, name) in hosts.enumerated() {
            try await run("ip", "netns", "add", name)
            try await run("ip", "-n", name, "link", "set", "lo", "up")
            try await run("ip", "-n", "lan", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
            try await run(
                "ip", "-n", name, "address", "add", "10.77.0.\(index + 1)/24", "broadcast", "+", "dev", "eth0")
            try await run("ip", "-n", name, "link", "set", "eth0", "up")
            try await run("ip", "-n", "lan", "link", "set", name, "master", "bridge")
            try await run("ip", "-n", "lan", "link", "set", name, "up")
        }
    }

    deinit {
        holder.signal(SIGKILL)
    }

    /// Whether this system lets us make one.
    static func isPossible() async -> Bool {
        do {
            return try await Host.thisMachine.run(unshare + ["ip", "link"], environment: environment).status == 0
        } catch {
            return false
        }
    }

    /// The network with only loopback, for nodes that need private mounts and not hosts.
    var loopback: Host {
        let user = Self.isRoot ? [] : ["--user", "--preserve-credentials"]
        return Host(entering: ["nsenter", "--target", "\(holder.pid)"] + user + ["--net", "--mount", "--"])
    }

    /// One of the hosts.
    func host(_ name: String) -> Host {
        Host(entering: loopback.entering + ["ip", "netns", "exec", name])
    }

    /// Pulls the cable of a host.
    func disconnect(_ name: String) async throws {
        try await run("ip", "-n", "lan", "link", "set", name, "down")
    }

    /// Puts the cable of a host back.
    func connect(_ name: String) async throws {
        try await run("ip", "-n", "lan", "link", "set", name, "up")
    }

    /// Makes a disk of a few megabytes, seen only from inside, and returns its folder.
    func smallDisk(megabytes: Int) async throws -> String {
        let folder = scratch.file("disk")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try await run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0700", "moot-disk", folder)
        return folder
    }

    /// Runs a command inside that must succeed.
    func run(_ arguments: String...) async throws {
        let outcome = try await loopback.run(arguments, environment: Self.environment)
        guard outcome.status == 0 else {
            throw Failed(description: "\(arguments.joined(separator: " ")): \(outcome.errors)")
        }
    }

    private static let isRoot = getuid() == 0

    private static let unshare =
        ["unshare", "--net", "--mount"] + (isRoot ? [] : ["--user", "--map-root-user"])

    /// ip and its kind live in /usr/sbin, which is not on every user's PATH.
    private static let environment = [
        "PATH": (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
    ]
}
