import LocalAPIModel

extension LocalClient {
    /// Everybody the node knows.
    ///
    /// - Parameter query: words, each of which begins a word of their names; nil for everybody.
    public func people(matching query: String? = nil) async throws(LocalClientError) -> [PersonDescription] {
        try await ask(LocalRequest(.get, "people", query: [("query", query)]))
    }

    /// Somebody the node knows, by id, unique id prefix or unique name; "me" is its user.
    public func person(_ person: String) async throws(LocalClientError) -> PersonDescription {
        try await ask(LocalRequest(.get, "people", person))
    }

    /// What the node's user and another compare; takes some tenths of a second on purpose.
    public func comparison(with person: String) async throws(LocalClientError) -> ComparisonDescription {
        try await ask(LocalRequest(.get, "people", person, "code"))
    }

    /// Asks the connected nodes of a person how they reach the user's; takes up to five seconds.
    public func askReachability(of person: String) async throws(LocalClientError) -> PersonReachabilityDescription {
        try await ask(LocalRequest(.post, "people", person, "reachability"))
    }

    /// Notes that codes were compared with a person, or takes it back.
    public func setVerified(
        _ isVerified: Bool, of person: String
    ) async throws(LocalClientError) -> PersonDescription {
        try await ask(
            try LocalRequest(.put, "people", person, "verified").with(ChangeVerified(verified: isVerified)))
    }

    /// Hears a person no more, or again.
    public func setBlocked(
        _ isBlocked: Bool, of person: String
    ) async throws(LocalClientError) -> PersonDescription {
        try await ask(try LocalRequest(.put, "people", person, "blocked").with(ChangeBlocked(blocked: isBlocked)))
    }

    /// Forgets a person with whom the user is in no group any more.
    ///
    /// - Returns: the person as they were known.
    public func forgetPerson(_ person: String) async throws(LocalClientError) -> PersonDescription {
        try await ask(LocalRequest(.delete, "people", person))
    }

    /// How people whom discovery does not reach can find the node.
    public func contact() async throws(LocalClientError) -> ContactDescription {
        try await ask(LocalRequest(.get, "profile", "contact"))
    }

    /// Looks for the person whose contact code it is; takes seconds when nobody answers.
    public func addPerson(contact code: String) async throws(LocalClientError) -> PersonDescription {
        try await ask(try LocalRequest(.post, "people").with(AddPerson(code: code)))
    }
}
