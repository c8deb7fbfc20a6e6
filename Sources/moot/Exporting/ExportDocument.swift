import Conversations
import LocalAPIModel

/// A conversation in one file, written from its beginning to its end.
protocol ExportDocument: Sendable {
    /// What the file is called.
    var fileName: String { get }

    /// What comes before the messages.
    mutating func beginning(_ head: ExportHead) -> [UInt8]

    /// Some messages, those that follow what was asked for before.
    ///
    /// - Parameter files: where the files are that were saved.
    mutating func part(_ messages: [MessageDescription], files: ExportedFiles) -> [UInt8]

    /// What comes after the messages.
    ///
    /// - Parameter gaps: what is missing of the conversation besides texts of messages.
    mutating func end(gaps: [GapDescription]) -> [UInt8]
}

/// What an export is of.
struct ExportHead: Sendable {
    let conversation: ConversationDescription
    /// The version of the program.
    let program: String
    /// When it was made, as the interface writes it.
    let time: String
}

/// Where the files of an export are.
struct ExportedFiles: Sendable {
    /// The folder in the folder of the export.
    static let folder = "files"

    /// A file as a message names it.
    private struct Key: Hashable {
        let id: String
        let name: String
    }

    private var paths: [Key: String] = [:]
    private var numbers: [String: Int] = [:]

    /// How many there are.
    var count: Int { paths.count }

    /// Where a file is, from the document; nil where it is not.
    subscript(file: FileDescription) -> String? { paths[Key(id: file.id, name: file.name)] }

    /// Finds a name for a file that no other one has, whatever the case of letters, since the folder may be copied to a
    /// disk that ignores it.
    ///
    /// - Complexity: O(1) on average, however many have one name.
    mutating func claim(_ file: FileDescription) -> String {
        let given = FileName.sanitized(file.name)
        let folded = given.lowercased()
        var name = given
        while true {
            let number = numbers[folded, default: 0] + 1
            numbers[folded] = number
            if number > 1 { name = FileName.numbered(given, number) }
            // What somebody called "log (2).txt" may be there already.
            guard number > 1 else { break }
            if numbers[name.lowercased()] == nil {
                numbers[name.lowercased()] = 1
                break
            }
        }
        return name
    }

    /// Notes that a file was saved.
    mutating func note(_ file: FileDescription, as name: String) {
        paths[Key(id: file.id, name: file.name)] = "\(Self.folder)/\(name)"
    }
}
