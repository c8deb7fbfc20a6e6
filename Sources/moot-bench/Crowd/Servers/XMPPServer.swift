import Foundation

/// Prosody with a room that is archived: a server that keeps what is said, as each node of a crowd does.
enum XMPPServer: ChatServer {
    static let program = "/usr/bin/prosody"
    static let end = "</body>"
    private static let host = "bench.moot"
    private static let room = "crowd@rooms.bench.moot"

    static func command(port: UInt16, in folder: URL) throws -> [String] {
        let settings = folder.appendingPathComponent("prosody.cfg.lua")
        try """
        run_as_root = true
        pidfile = "\(folder.path)/prosody.pid"
        data_path = "\(folder.path)/prosody"
        interfaces = { "127.0.0.1" }
        c2s_ports = { \(port) }
        modules_enabled = { "saslauth" }
        modules_disabled = { "s2s", "s2s_auth_certs", "offline", "tls" }
        c2s_require_encryption = false
        log = { error = "*console" }
        VirtualHost "\(host)"
            authentication = "anonymous"
        Component "rooms.\(host)" "muc"
            modules_enabled = { "muc_mam" }
            muc_room_locking = false
            muc_log_by_default = true
        """.write(to: settings, atomically: true, encoding: .utf8)
        return [program, "-F", "--config", settings.path]
    }

    static func join(_ client: ServerClient, as name: String) throws {
        let opening = """
            <stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='\(host)' version='1.0'>
            """
        try client.say(opening)
        try client.wait(for: "</stream:features>")
        try client.say("<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>")
        try client.wait(for: "<success")
        try client.say(opening)
        try client.wait(for: "</stream:features>")
        try client.say("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
        try client.wait(for: "</iq>")
        try client.say(
            "<presence to='\(room)/\(name)'><x xmlns='http://jabber.org/protocol/muc'/></presence>")
        try client.wait(for: "<subject")
    }

    static func message(_ text: String) -> String {
        "<message to='\(room)' type='groupchat'><body>\(text)</body></message>"
    }

    static func texts(in received: String, for client: ServerClient) throws -> [String] {
        received.split(separator: "</body>", omittingEmptySubsequences: false).dropLast().compactMap { part in
            part.range(of: "<body>").map { String(part[$0.upperBound...]) }
        }
    }
}
