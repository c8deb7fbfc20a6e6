/// A file that was saved, for programs.
struct SavedFile: Encodable, Sendable {
    let id: String
    let path: String
    /// Whether it was there already, with the same bytes.
    let wasThere: Bool
}
