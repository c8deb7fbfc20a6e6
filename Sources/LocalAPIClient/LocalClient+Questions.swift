import LocalAPIModel

extension LocalClient {
    /// How the node is doing.
    public func status() async throws(LocalClientError) -> StatusDescription {
        try await ask(LocalRequest(.get, "status"))
    }

    /// Whether the node does its work.
    public func health() async throws(LocalClientError) -> HealthDescription {
        try await ask(LocalRequest(.get, "health"))
    }

    /// The connected nodes.
    public func peers() async throws(LocalClientError) -> [PeerDescription] {
        try await ask(LocalRequest(.get, "peers"))
    }

    /// Where others are and why they are not reached.
    public func reachability() async throws(LocalClientError) -> ReachabilityDescription {
        try await ask(LocalRequest(.get, "reachability"))
    }

    /// Who the node's user is.
    public func profile() async throws(LocalClientError) -> IdentityDescription {
        try await ask(LocalRequest(.get, "profile"))
    }

    /// Changes the user's name, their photo, whether others learn what they read, and whether they are asked when
    /// others add them to a group; what is nil stays as it is.
    ///
    /// - Parameter photo: the id of an uploaded file; empty to take the photo away.
    public func setProfile(
        name: String? = nil, photo: String? = nil, receipts: Bool? = nil, asksWhenAdded: Bool? = nil
    ) async throws(LocalClientError) -> IdentityDescription {
        try await ask(
            try LocalRequest(.patch, "profile")
                .with(ChangeProfile(name: name, photo: photo, receipts: receipts, asksWhenAdded: asksWhenAdded)))
    }

    /// Ends the user's identity: the node leaves every group, tells everybody, and writes nothing any more. Nothing
    /// undoes it.
    ///
    /// - Parameter passphrase: what guards the keys of the home.
    public func deleteProfile(passphrase: String? = nil) async throws(LocalClientError) -> IdentityDescription {
        try await ask(try LocalRequest(.delete, "profile").with(ProveOwner(passphrase: passphrase)))
    }

    /// Asks the node to stop, so that its keys leave memory; it ends soon after the answer.
    public func lock() async throws(LocalClientError) -> LockDescription {
        try await ask(LocalRequest(.post, "lock"))
    }

    /// The settings in force.
    public func settings() async throws(LocalClientError) -> SettingsDescription {
        try await ask(LocalRequest(.get, "settings"))
    }

    /// Has the settings read again.
    public func reloadSettings() async throws(LocalClientError) -> SettingsReloadDescription {
        try await ask(LocalRequest(.post, "settings", "reload"))
    }

    /// Has the database copied to a file in the home of the node, which is the caller's to remove.
    public func copyDatabase() async throws(LocalClientError) -> DatabaseCopyDescription {
        try await ask(LocalRequest(.post, "database-copies"))
    }

    /// The same where a node runs; nil where none does.
    public func copyDatabaseIfRunning() async throws(LocalClientError) -> DatabaseCopyDescription? {
        do throws(LocalClientError) {
            return try await copyDatabase()
        } catch LocalClientError.notRunning {
            return nil
        }
    }

    /// How the replicas of connected members compare with the node's own.
    public func verify() async throws(LocalClientError) -> VerificationDescription {
        try await ask(LocalRequest(.get, "verify"))
    }
}
