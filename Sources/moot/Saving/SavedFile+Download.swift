import LocalAPIClient
import LocalAPIModel

extension SavedFile {
    /// How long to wait for a photo that is not here.
    private static let timeout: Duration = .seconds(10)

    /// Saves the photo of a group or a person into a folder; fetches one that was only offered, or was canceled, since
    /// it is asked for now.
    ///
    /// - Parameter look: the photo as it is now; nil if there is none any more.
    static func photo(
        into folder: String, asking node: LocalClient, look: @Sendable () async throws -> FileDescription?
    ) async throws -> SavedFile? {
        guard var photo = try await look() else { return nil }
        if [.offered, .canceled].contains(photo.state) { photo = try await node.fetchFile(photo.id) }
        let end = ContinuousClock.now + timeout
        while photo.state != .here, photo.state != .failed, .now < end {
            try await Task.sleep(for: .milliseconds(100))
            guard let next = try await look() else { return nil }
            photo = next
        }
        let target = try FileTarget(named: photo.name, in: folder)
        do {
            try await node.download(photo.id) { bytes in try target.write(bytes) }
        } catch LocalClientError.connectionLost {
            throw Failure(
                .notHere, "The photo broke off while it was saved",
                hint: "It is fetched again by itself. Repeat the command in a while.")
        }
        let saved = try target.finish()
        return SavedFile(id: photo.id, path: saved.path, wasThere: saved.wasThere)
    }
}
