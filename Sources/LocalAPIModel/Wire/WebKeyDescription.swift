/// The second secret of a browser session, as it is told once.
package struct WebKeyDescription: Hashable, Sendable, Codable {
    /// What goes into the header `Moot-Key`.
    package var key: String
    /// By what the page knows the node again, until that stops: the key of the proofs that it asks for.
    package var node: String

    package init(key: String, node: String) {
        self.key = key
        self.node = node
    }
}

/// What only the node that let a page in can answer it.
package struct WebProofDescription: Hashable, Sendable, Codable {
    /// HMAC-SHA256 of `moot/1/web-proof/` and the nonce, under what the page was told as `node`.
    package var proof: String

    package init(proof: String) {
        self.proof = proof
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
