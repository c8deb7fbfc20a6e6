import LocalAPIModel

extension LocalClient {
    /// The devices of the node's user, the one that answers first.
    public func devices() async throws(LocalClientError) -> [DeviceDescription] {
        try await ask(LocalRequest(.get, "devices"))
    }

    /// The devices of somebody the node knows.
    public func devices(of person: String) async throws(LocalClientError) -> [DeviceDescription] {
        try await ask(LocalRequest(.get, "people", person, "devices"))
    }

    /// Gives a device of the node's user another name.
    ///
    /// - Parameters:
    ///   - device: its id, a unique beginning of one, or its name.
    ///   - passphrase: what guards the keys of the home.
    public func renameDevice(
        _ device: String, to name: String, passphrase: String? = nil
    ) async throws(LocalClientError) -> DeviceDescription {
        try await ask(
            try LocalRequest(.patch, "devices", device).with(RenameDevice(name: name, passphrase: passphrase)))
    }

    /// Takes a device of the node's user out; what it wrote counts.
    ///
    /// - Parameters:
    ///   - device: its id, a unique beginning of one, or its name.
    ///   - passphrase: what guards the keys of the home.
    public func retireDevice(
        _ device: String, passphrase: String? = nil
    ) async throws(LocalClientError) -> DeviceDescription {
        try await ask(
            try LocalRequest(.post, "devices", device, "retirement").with(ProveOwner(passphrase: passphrase)))
    }

    /// What revoking a device of the node's user would take away.
    ///
    /// - Parameter seconds: how long ago it came into other hands; nil for now.
    public func revocationLosses(
        of device: String, stolenSecondsAgo seconds: Int? = nil
    ) async throws(LocalClientError) -> RevocationLossesDescription {
        try await ask(
            LocalRequest(
                .get, "devices", device, "revocation", query: [("seconds", seconds.map { String($0) })]))
    }

    /// Takes a device of the node's user out that is somebody else's: what it wrote since counts no more.
    ///
    /// - Parameter passphrase: what guards the keys of the home.
    public func revokeDevice(
        _ device: String, stolenSecondsAgo seconds: Int? = nil, force: Bool = false, passphrase: String? = nil
    ) async throws(LocalClientError) -> DeviceDescription {
        try await ask(
            try LocalRequest(.post, "devices", device, "revocation").with(
                RevokeDevice(seconds: seconds, force: force, passphrase: passphrase)))
    }

    /// Dials a host that shows a link code; takes seconds when nobody answers.
    ///
    /// - Parameter passphrase: what guards the keys of the home.
    public func beginDeviceLink(
        by code: String, passphrase: String? = nil
    ) async throws(LocalClientError) -> DeviceLinkDescription {
        try await ask(
            try LocalRequest(.post, "device-links").with(BeginDeviceLink(code: code, passphrase: passphrase)))
    }

    /// Agrees to a link, and waits until the other side has, too.
    public func agree(
        toDeviceLink id: String, named name: String? = nil, withRoot: Bool = false
    ) async throws(LocalClientError) -> DeviceDescription {
        try await ask(
            try LocalRequest(.post, "device-links", id, "agreement")
                .with(AgreeToDeviceLink(name: name, withRoot: withRoot ? true : nil)))
    }

    /// Does not agree to a link.
    ///
    /// - Returns: the link as it was.
    @discardableResult
    public func refuseDeviceLink(_ id: String) async throws(LocalClientError) -> DeviceLinkDescription {
        try await ask(LocalRequest(.delete, "device-links", id))
    }
}
