import Foundation

/// Where the nodes of a crowd run: each on a host of its own, in network namespaces joined by a bridge, or all on
/// loopback.
///
/// The namespaces have a private mount of `/run/netns`. So they are seen nowhere else, and go with the process that
/// holds them. When this process ends, however that happens, the holder ends all that runs in them, and then itself.
final class CrowdNetwork: Sendable {
    /// Holds the namespaces; nil on loopback.
    private let holder: CrowdProcess?
    /// Its input. It ends when nobody has the other end open any more.
    private let lifeline = Pipe()

    private init(holder: CrowdProcess?) { self.holder = holder }

    /// All nodes on loopback.
    static var loopback: CrowdNetwork { CrowdNetwork(holder: nil) }

    /// Whether this system lets us make namespaces.
    static var canBePrivate: Bool {
        do {
            try CrowdProcess.run(unshare + ["ip", "link"])
            return true
        } catch {
            return false
        }
    }

    /// Makes hosts with the addresses 10.77.0.1, 10.77.0.2, …
    ///
    /// They know each other's hardware addresses beforehand, and only those of IPv4. Hosts of a network have a table of
    /// neighbors each. These share that of one kernel, which has room for 1,024, and 60 hosts would fill it 7 times.
    init(hosts: Int, in folder: URL, cleanup: Cleanup) async throws {
        let log = folder.appendingPathComponent("network.log").path
        let hold = """
            mount -t tmpfs moot-run /run && mkdir /run/netns && ip link set lo up && echo ready && cat
            for host in /run/netns/*; do ip netns pids "${host##*/}" | xargs -r kill -9; done
            """
        let holder = try CrowdProcess(Self.unshare + ["sh", "-c", hold], input: lifeline, errors: log)
        self.holder = holder
        cleanup.add { [self] in cut() }
        try await BenchNode.wait("the namespaces are made", seconds: 10) {
            guard holder.isRunning else { throw BenchError(try String(contentsOfFile: log, encoding: .utf8)) }
            return try String(contentsOfFile: log, encoding: .utf8).contains("ready")
        }
        var script = """
            set -e
            address() { printf '02:00:00:00:00:%02x' "$1"; }
            neighbors() {
                for other in $(seq \(hosts)); do
                    [ "$other" = "$1" ] ||
                        echo "neighbor add 10.77.0.$other lladdr $(address "$other") dev eth0 nud permanent"
                done
            }
            ip netns add lan
            ip -n lan link add bridge type bridge stp_state 0 forward_delay 0
            ip -n lan link set bridge up

            """
        for number in 1...hosts {
            let name = Self.name(of: number)
            script += """
                ip netns add \(name)
                ip netns exec \(name) sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
                ip -n \(name) link set lo up
                ip -n lan link add \(name) type veth peer name eth0 netns \(name)
                ip -n \(name) link set eth0 address "$(address \(number))"
                ip -n \(name) address add 10.77.0.\(number)/24 broadcast + dev eth0
                ip -n \(name) link set eth0 up
                ip -n lan link set \(name) master bridge up
                neighbors \(number) | ip -n \(name) -batch -

                """
        }
        try CrowdProcess.run(entering + ["sh", "-c", script])
    }

    /// Ends it, with all that is in it.
    func end() async throws {
        guard let holder else { return }
        cut()
        try await BenchNode.wait("the namespaces end", seconds: 30) { !holder.isRunning }
    }

    /// Lets the holder end. To kill it would leave what it waits for.
    private func cut() { try? lifeline.fileHandleForWriting.close() }

    var isPrivate: Bool { holder != nil }

    /// What stands before a command so that it runs on a host.
    func entering(_ number: Int) -> [String] {
        isPrivate ? entering + ["ip", "netns", "exec", Self.name(of: number)] : []
    }

    /// How the node of a host is reached. On loopback each has an address of its own, since a node lets only few
    /// strangers of one host in.
    func options(of number: Int) -> [String] {
        isPrivate ? [] : ["--listen", "127.0.77.\(number):0", "--no-discovery"]
    }

    /// Bytes that all hosts have sent until now, with the headers of Ethernet; on loopback those of everything that
    /// uses it.
    func sentBytes() throws -> Double {
        guard isPrivate else { return try Self.sentOverLoopback() }
        let printed = try CrowdProcess.run(
            entering + ["ip", "-n", "lan", "-json", "-statistics", "link", "show", "master", "bridge"])
        // What the bridge received from a host, the host has sent.
        return try JSONDecoder().decode([Port].self, from: printed).reduce(0) { $0 + Double($1.stats64.rx.bytes) }
    }

    /// Pulls the cable of a host, or puts it back.
    func setLink(of number: Int, isUp: Bool) throws {
        try CrowdProcess.run(
            entering + ["ip", "-n", "lan", "link", "set", Self.name(of: number), isUp ? "up" : "down"])
    }

    private var entering: [String] {
        guard let holder else { return [] }
        let user = Self.isRoot ? [] : ["--user", "--preserve-credentials"]
        return ["nsenter", "--target", "\(holder.pid)"] + user + ["--net", "--mount", "--"]
    }

    private static func name(of number: Int) -> String { "host\(number)" }

    private static let isRoot = getuid() == 0
    private static let unshare = ["unshare", "--net", "--mount"] + (isRoot ? [] : ["--user", "--map-root-user"])

    private static func sentOverLoopback() throws -> Double {
        let table = try String(contentsOfFile: "/proc/net/dev", encoding: .utf8)
        let columns = table.split(separator: "\n").map { $0.split(whereSeparator: { $0 == " " || $0 == ":" }) }
        guard let row = columns.first(where: { $0.first == "lo" }), row.count > 9, let bytes = Double(row[9]) else {
            throw BenchError("/proc/net/dev has no loopback")
        }
        return bytes
    }

    /// A port of the bridge, as `ip` prints it.
    private struct Port: Decodable {
        struct Statistics: Decodable {
            struct Direction: Decodable { var bytes: UInt64 }
            var rx: Direction
        }
        var stats64: Statistics
    }
}
