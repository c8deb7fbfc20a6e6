/// A file that was saved, for programs.
struct SavedFile: Encodable {
    let id: String
    let path: String
}
