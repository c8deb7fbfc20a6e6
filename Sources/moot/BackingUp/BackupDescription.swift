import Foundation
import KeyStore

/// A backup, as JSON for programs.
struct BackupDescription: Encodable {
    let file: String
    let madeAt: String
    let host: String
    let program: String
    let files: Int
    let bytes: Int

    init(_ file: String, _ contents: BackupContents) {
        self.file = file
        madeAt = Self.moment(of: contents)
        (host, program, files, bytes) = (contents.host, contents.program, contents.files, contents.bytes)
    }

    /// When it was made, in the time zone of whoever reads it.
    static func time(of contents: BackupContents) -> String {
        let moment = moment(of: contents)
        return LocalTime(moment).map { "\($0.day) \($0.clock)" } ?? moment
    }

    private static func moment(of contents: BackupContents) -> String { contents.madeAt.formatted(.iso8601) }
}

/// How far a backup is.
struct BackupProgress {
    private let name: String
    private let output: Output
    private var bar: ProgressBar?

    init(_ name: String, on output: Output) {
        (self.name, self.output) = (name, output)
    }

    mutating func show(_ done: Int, of all: Int) {
        var bar = bar ?? ProgressBar(name, total: all, on: output, isErasedAtEnd: true)
        bar.show(done)
        self.bar = bar
    }
}
