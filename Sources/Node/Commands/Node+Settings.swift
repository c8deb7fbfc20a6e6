import BlobStore
import NodeCore

/// What a running node is told anew of its settings.
extension Node {
    /// Names the peers to stay connected to. Connections stay that there are; to those that are not named any more none
    /// is made again.
    ///
    /// - Throws: `bad_configuration` for what is no `HOST:PORT`; then everything stays as it was.
    public func name(peers: [String]) throws(NodeError) {
        try Self.check(peers: peers)
        configuration.peers = peers
        change { $0.handle(.peersNamed(peers), at: $1) }
        warnOfMissingPlaces()
    }

    /// Says how many bytes files may take on disk. Nothing is erased where they take more, and what has room now is
    /// fetched.
    public func limitFiles(to quota: Int) {
        configuration.filesQuota = quota
        blobs.limit(to: quota)
        change { $0.handle(.fileRoomChanged, at: $1) }
    }

    /// Says what brings notifications before the user from now on.
    public func notify(by sinks: [any NotificationSink]) {
        for sink in configuration.notificationSinks { sink.stop() }
        configuration.notificationSinks = sinks
        startNotificationSinks()
    }
}
