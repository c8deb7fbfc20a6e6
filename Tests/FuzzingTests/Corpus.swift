import Foundation
import Fuzzing
import Testing

/// The files of `Tests/Corpus`.
enum Corpus {
    /// One input: `<decoder>/<what it is>--<outcome>`.
    struct File: Sendable, CustomTestStringConvertible {
        let decoder: Decoder
        let path: String
        let expected: String
        let bytes: [UInt8]

        var testDescription: String { path }
    }

    /// A file whose folder or name says nothing.
    struct Unnamed: Error {
        let path: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Corpus").standardizedFileURL

    /// Every file, in the order of the paths.
    static func files() throws -> [File] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().compactMap { path in
            let url = folder.appending(path: path)
            guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return nil }
            guard let decoder = path.split(separator: "/").first.flatMap({ Decoder.named(String($0)) }),
                let mark = path.range(of: "--", options: .backwards)
            else { throw Unnamed(path: path) }
            return File(
                decoder: decoder, path: path, expected: String(path[mark.upperBound...]),
                bytes: Array(try Data(contentsOf: url)))
        }
    }

    /// Writes examples.
    static func write(_ examples: [Example]) throws {
        for example in examples {
            let url = folder.appending(path: example.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(example.bytes).write(to: url)
        }
    }
}
