/// What `moot up` prints when the node is ready.
struct ReadyDescription: Codable, Sendable {
    var ready = true
    /// Nil where it is printed into a log.
    var name: String?
    var user: String
    var device: String
    /// Where other nodes reach it, with the ports that were chosen.
    var listening: [String]
    var socket: String
    /// An address that opens the node in a browser, once; absent where it is not served to browsers.
    var web: String?
    var home: String
    /// That the user ended their identity; absent for everybody else.
    var deleted: Bool?
    /// The process, which `kill` ends in peace.
    var pid: Int32

    func lines(_ output: Output) -> [String] {
        let lines = [
            "\(name.map { output.bold(TerminalText.line($0)) } ?? "The node") is ready.",
            "  user       \(user)",
            "  device     \(device)",
            "  listening  \(listening.isEmpty ? "nowhere" : listening.joined(separator: ", "))",
            "  socket     \(TerminalText.line(socket))",
        ]
        return lines
            + (deleted == true
                ? ["  deleted    your identity is deleted: this node passes that on, and writes nothing any more"] : [])
            + (web.map { ["  web        \($0) (once, within a minute; then: moot open)"] } ?? [])
    }
}
