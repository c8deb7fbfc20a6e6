import Foundation

/// A chat server of this machine and how one talks to it, so that its group is measured next to a crowd of nodes.
protocol ChatServer {
    /// Where Debian puts the program; what is not there is not measured.
    static var program: String { get }
    /// What ends each message that the server brings.
    static var end: String { get }

    /// The command that runs the server on a port of loopback, in the foreground, with its settings and all that it
    /// stores in a folder.
    static func command(port: UInt16, in folder: URL) throws -> [String]

    /// Brings somebody into the group of all.
    static func join(_ client: ServerClient, as name: String) throws

    /// A message to all in the group, as it is written to the connection.
    static func message(_ text: String) -> String

    /// The texts of messages in what came from the server, up to the end of one; what has to be answered is answered.
    static func texts(in received: String, for client: ServerClient) throws -> [String]
}

extension ChatServer {
    /// Messages a second that reach all the others; nil where the server is not installed.
    ///
    /// - Parameter count: How many people there are. As many of them write as in a crowd of nodes, with as many
    ///   messages on their way.
    static func measure(clients count: Int, messages: Int, in folder: URL, cleanup: Cleanup) throws -> Double? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try LoopbackSocket.freePort()
        let server = try CrowdProcess(
            try command(port: port, in: folder), errors: folder.appendingPathComponent("server.log").path)
        cleanup.add { server.kill() }
        defer { server.kill() }
        let clients = try (1...count).map { number in
            let client = ServerClient(try LoopbackSocket.connect(to: port, timeout: 10), end: end)
            try join(client, as: "node\(number)")
            return client
        }
        _ = try rate(messages: 200, of: clients)
        return try rate(messages: messages, of: clients)
    }

    private static func rate(messages: Int, of clients: [ServerClient]) throws -> Double {
        var (sent, reached, arrivals) = (0, 0, [String: Int]())
        let clock = ContinuousClock()
        let begin = clock.now
        while reached < messages {
            while sent < messages, sent - reached < CrowdMeasure.writers {
                try clients[sent % CrowdMeasure.writers % clients.count].say(
                    message(CrowdMeasure.text("message", sent)))
                sent += 1
            }
            var ends = clients.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&ends, nfds_t(ends.count), 10_000) > 0 else { throw BenchError("\(program) is silent") }
            for (client, end) in zip(clients, ends) where end.revents != 0 {
                for text in try texts(in: client.received(), for: client) {
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

/// One connection to a chat server.
final class ServerClient {
    let socket: LoopbackSocket
    private let end: [UInt8]
    private var rest: [UInt8] = []

    /// - Parameter end: What ends each message that the server brings.
    init(_ socket: LoopbackSocket, end: String) {
        self.socket = socket
        self.end = Array(end.utf8)
    }

    func say(_ text: String) throws { try socket.write(Array(text.utf8)) }

    /// What has come up to the end of a message; waits until something has come.
    func received() throws -> String {
        rest += try socket.read()
        guard let last = rest.lastRange(of: end)?.upperBound else { return "" }
        defer { rest.removeFirst(last) }
        return String(decoding: rest[..<last], as: UTF8.self)
    }

    /// Reads until some text has come, and forgets what came with it.
    func wait(for text: String) throws {
        while !String(decoding: rest, as: UTF8.self).contains(text) { rest += try socket.read() }
        rest = []
    }
}

extension [UInt8] {
    /// Where some bytes are for the last time.
    fileprivate func lastRange(of bytes: [UInt8]) -> Range<Int>? {
        guard count >= bytes.count else { return nil }
        return (0...count - bytes.count).reversed().first { self[$0..<$0 + bytes.count].elementsEqual(bytes) }
            .map { $0..<$0 + bytes.count }
    }
}
