/// A content operation of a scenario: of what it says only the kind matters.
struct ScenarioContent: Hashable, Sendable {
    /// What it is.
    enum Kind: String, Sendable {
        case message, edit, file, delete, reaction, pin

        /// Whether it says something new: where only moderators write, a member does not write it.
        var isAnnounced: Bool {
            switch self {
            case .message, .edit, .file: true
            case .delete, .reaction, .pin: false
            }
        }
    }

    let id: Name
    let author: Name
    let device: Name?
    let kind: Kind
    /// The membership heads under which it was written.
    let heads: [Name]
    /// What is before it on the chain of its device.
    let previous: Name?
    /// How many are before it there.
    let place: Int
}
