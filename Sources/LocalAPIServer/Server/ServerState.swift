/// What the servers of one node keep besides it, for as long as they serve.
final class ServerState: Sendable {
    /// Who may use the API by loopback; nil where it is not served there.
    let loopback: LoopbackAccess?
    /// Room for those who follow events.
    let eventStreams = EventStreamSlots()
    /// What writes their events.
    let eventEncoder = SharedEventEncoder()

    init(loopback: LoopbackAccess?) {
        self.loopback = loopback
    }
}
