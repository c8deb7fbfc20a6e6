import Foundation

/// The files of this repository, by their paths from its root.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of all files with an ending below a folder.
    static func paths(below folder: String, endingIn ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }
    }

    /// The pages that people read: those of the root and of `docs`.
    static func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".md") }
            + paths(below: "docs", endingIn: ".md")
    }

    /// The articles of the libraries' documentation.
    static func articles() throws -> [String] {
        try paths(below: "Sources", endingIn: ".md").filter { $0.contains(".docc/") }
    }
}
