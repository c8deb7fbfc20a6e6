/// The second secret of a browser session, as it is told once.
package struct WebKeyDescription: Hashable, Sendable, Codable {
    /// What goes into the header `Moot-Key`.
    package var key: String

    package init(key: String) {
        self.key = key
    }
}

/// What stands for the key of a session for some minutes, where a browser sends no header.
package struct WebTicketDescription: Hashable, Sendable, Codable {
    /// What goes into the parameter `ticket`.
    package var ticket: String
    /// Seconds it is good from now on.
    package var expiresInSeconds: Int

    package init(ticket: String, expiresInSeconds: Int) {
        self.ticket = ticket
        self.expiresInSeconds = expiresInSeconds
    }
}
