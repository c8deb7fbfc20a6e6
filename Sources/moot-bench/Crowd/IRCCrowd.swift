import Foundation

/// The same crowd on an IRC server of this machine, which stores nothing and signs nothing: what a server can do at best.
enum IRCCrowd {
    /// Where Debian puts the server.
    private static let program = "/usr/sbin/ngircd"
    private static let channel = "#crowd"

    /// Messages a second that reach all the others; nil where ngIRCd is not installed.
    ///
    /// - Parameter clients: How many people there are; as many of them write as in a crowd of nodes, with as many messages on their way.
    static func measure(
        clients count: Int, messages: Int, in folder: URL, cleanup: Cleanup
    ) throws -> Double? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try LoopbackSocket.freePort()
        let settings = folder.appendingPathComponent("ngircd.conf")
        try """
        [Global]
        Name = bench.moot
        Info = moot-bench
        Listen = 127.0.0.1
        Ports = \(port)
        [Limits]
        MaxConnectionsIP = 0
        MaxPenaltyTime = 0
        [Options]
        DNS = no
        Ident = no
        PAM = no
        """.write(to: settings, atomically: true, encoding: .utf8)
        let server = try CrowdProcess(
            [program, "--nodaemon", "--config", settings.path], errors: folder.appendingPathComponent("irc.log").path)
        cleanup.add { server.kill() }
        defer { server.kill() }
        var clients: [IRCClient] = []
        for number in 1...count {
            let client = IRCClient(try LoopbackSocket.connect(to: port, timeout: 10))
            try client.say("NICK node\(number)\r\nUSER node\(number) 0 * :node\r\n")
            try client.wait(for: " 001 ")
            try client.say("JOIN \(channel)\r\n")
            try client.wait(for: " 366 ")
            clients.append(client)
        }
        _ = try rate(messages: 200, of: clients)
        return try rate(messages: messages, of: clients)
    }

    private static func rate(messages: Int, of clients: [IRCClient]) throws -> Double {
        var (sent, reached, arrivals) = (0, 0, [String: Int]())
        let clock = ContinuousClock()
        let begin = clock.now
        while reached < messages {
            while sent < messages, sent - reached < CrowdMeasure.writers {
                try clients[sent % CrowdMeasure.writers % clients.count].say(
                    "PRIVMSG \(channel) :\(CrowdMeasure.text("message", sent))\r\n")
                sent += 1
            }
            var ends = clients.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&ends, nfds_t(ends.count), 10_000) > 0 else { throw BenchError("the IRC server is silent") }
            for (client, end) in zip(clients, ends) where end.revents != 0 {
                for line in try client.lines() {
                    if line.hasPrefix("PING") { try client.say("PONG" + line.dropFirst(4) + "\r\n") }
                    guard let start = line.range(of: " PRIVMSG \(channel) :")?.upperBound else { continue }
                    let text = String(line[start...])
                    arrivals[text, default: 0] += 1
                    if arrivals[text] == clients.count - 1 {
                        arrivals[text] = nil
                        reached += 1
                    }
                }
            }
        }
        return Double(messages) / begin.duration(to: clock.now).seconds
    }
}

/// One connection to an IRC server.
private final class IRCClient {
    let socket: LoopbackSocket
    private var rest: [UInt8] = []

    init(_ socket: LoopbackSocket) { self.socket = socket }

    func say(_ text: String) throws { try socket.write(Array(text.utf8)) }

    /// The lines that have come; waits until something has.
    func lines() throws -> [String] {
        rest += try socket.read()
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { rest.removeFirst(end + 1) }
        return rest[...end].split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads until a line has some text in it.
    func wait(for text: String) throws {
        while try !lines().contains(where: { $0.contains(text) }) {}
    }
}
