/// A file that was saved, for programs.
struct SavedFile: Encodable, Sendable {
    let id: String
    let path: String
}
