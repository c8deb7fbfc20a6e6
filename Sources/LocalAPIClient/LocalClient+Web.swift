import LocalAPIModel

extension LocalClient {
    /// An address that opens the node in a browser, once.
    public func makeWebAddress() async throws(LocalClientError) -> WebAddressDescription {
        try await ask(LocalRequest(.post, "web", "addresses"))
    }

    /// The browsers that are let in, the newest first.
    public func webSessions() async throws(LocalClientError) -> [WebSessionDescription] {
        try await ask(LocalRequest(.get, "web", "sessions"))
    }

    /// Ends a browser's session at once.
    public func endWebSession(_ id: String) async throws(LocalClientError) -> WebSessionDescription {
        try await ask(LocalRequest(.delete, "web", "sessions", id))
    }

    /// What a program needs to use the API on loopback.
    public func webToken() async throws(LocalClientError) -> WebTokenDescription {
        try await ask(LocalRequest(.get, "web", "token"))
    }

    /// Makes a token that outlives the node's run.
    public func createToken(
        named name: String, readOnly: Bool
    ) async throws(LocalClientError) -> NewTokenDescription {
        try await ask(try LocalRequest(.post, "web", "tokens").with(CreateToken(name: name, readOnly: readOnly)))
    }

    /// The tokens that outlive the node's run.
    public func tokens() async throws(LocalClientError) -> [TokenDescription] {
        try await ask(LocalRequest(.get, "web", "tokens"))
    }

    /// Ends a token at once.
    public func revokeToken(_ name: String) async throws(LocalClientError) -> TokenDescription {
        try await ask(LocalRequest(.delete, "web", "tokens", name))
    }
}
