import Foundation

/// ngIRCd, which stores nothing and signs nothing: what a server can do at best.
enum IRCServer: ChatServer {
    static let program = "/usr/sbin/ngircd"
    static let end = "\n"
    private static let channel = "#crowd"

    static func command(port: UInt16, in folder: URL) throws -> [String] {
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
        return [program, "--nodaemon", "--config", settings.path]
    }

    static func join(_ client: ServerClient, as name: String) throws {
        try client.say("NICK \(name)\r\nUSER \(name) 0 * :node\r\n")
        try client.wait(for: " 001 ")
        try client.say("JOIN \(channel)\r\n")
        try client.wait(for: " 366 ")
    }

    static func message(_ text: String) -> String { "PRIVMSG \(channel) :\(text)\r\n" }

    static func texts(in received: String, for client: ServerClient) throws -> [String] {
        try received.split(whereSeparator: \.isNewline).compactMap { line in
            if line.hasPrefix("PING") { try client.say("PONG" + line.dropFirst(4) + "\r\n") }
            return line.range(of: " PRIVMSG \(channel) :").map { String(line[$0.upperBound...]) }
        }
    }
}
