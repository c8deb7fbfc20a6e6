import Foundation

/// A file of known answers in `Tests/Fixtures`.
public enum Fixture {
    /// Decodes a file of known answers.
    public static func load<Contents: Decodable>(_ name: String, as type: Contents.Type = Contents.self) throws
        -> Contents
    {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/\(name)").standardizedFileURL
        return try JSONDecoder().decode(Contents.self, from: Data(contentsOf: file))
    }
}
