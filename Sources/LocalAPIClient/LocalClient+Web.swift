import LocalAPIModel

extension LocalClient {
    /// An address that opens the node in a browser, once.
    public func makeWebAddress() async throws(LocalClientError) -> WebAddressDescription {
        try await ask(LocalRequest(.post, "web", "addresses"))
    }

    /// What a program needs to use the API on loopback.
    public func webToken() async throws(LocalClientError) -> WebTokenDescription {
        try await ask(LocalRequest(.get, "web", "token"))
    }
}
