/// What the servers of one node keep besides it, for as long as they serve.
final class ServerState: Sendable {
    /// Who may use the API by loopback; nil where it is not served there.
    let loopback: LoopbackAccess?
    /// Those that outlive it, by which programs use the API on loopback.
    let tokens: TokenStore
    /// Who knows the settings of the node; nil where nobody does.
    let settings: (any SettingsKeeper)?
    /// Who finds faults of the host; nil where nobody does.
    let diagnostician: (any Diagnostician)?
    /// Whose turn it is to have them looked for.
    let diagnosisTurn = DiagnosisTurn()
    /// Room for those who follow events.
    let eventStreams = EventStreamSlots()
    /// What writes their events.
    let eventEncoder = SharedEventEncoder()

    /// After how long the streams of their events say that they are alive.
    let heartbeat: Duration

    init(
        loopback: LoopbackAccess?, tokens: TokenStore, settings: (any SettingsKeeper)?,
        diagnostician: (any Diagnostician)?, heartbeat: Duration
    ) {
        self.settings = settings
        self.diagnostician = diagnostician
        self.tokens = tokens
        self.heartbeat = heartbeat
        self.loopback = loopback
    }
}
