import Glibc
import LocalAPIModel
import TOMLFiles

/// A `moot.toml`: what a user chose for every start of their node.
struct SettingsFile: Equatable {
    /// A setting, and where it is.
    struct Entry: Equatable {
        let setting: Setting
        let texts: [String]
        let line: Int
    }

    /// The path that was read, or would be.
    let path: String
    /// Whether there is a file.
    let isThere: Bool
    let entries: [Entry]

    /// The largest file that is read.
    static let maximumBytes = 64 << 10

    /// Reads a file, if there is one.
    ///
    /// It says what is run. So nobody else may decide what it leads to, whenever it is read.
    ///
    /// - Throws: `bad_configuration` with the place where it is no TOML, or says what is no setting or cannot be one;
    ///   `permission_denied` where it may not be read, or another user can change it or put another one in its place.
    init(_ path: String) throws(Failure) {
        self.path = path
        var status = stat()
        // What is there and cannot be reached, such as a link that leads nowhere, is no reason to forget what the user
        // chose.
        let isMissing = lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
        isThere = !isMissing
        guard isThere else {
            entries = []
            return
        }
        // To open a pipe would wait for whoever writes into it.
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.badConfiguration, "\(path) is no file", hint: "Move it away, or put a moot.toml there.")
        }
        let hint = "Make it yours, and let nobody else write there."
        try OwnPath.require(path, hint: hint)
        let file = try InputFile(path)
        // What was opened may have come there meanwhile.
        guard file.isOwn else {
            throw Failure(.permissionDenied, "Another user decides what is in \(path)", hint: hint)
        }
        var bytes: [UInt8] = []
        while bytes.count <= Self.maximumBytes, case let more = try file.read(), !more.isEmpty { bytes += more }
        guard bytes.count <= Self.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                .badConfiguration, "\(path) is no text in UTF-8 of at most \(Self.maximumBytes >> 10) KiB")
        }
        entries = try Self.settings(in: try Self.toml(text, of: path), of: path)
    }

    private static func toml(_ text: String, of path: String) throws(Failure) -> TOMLFile {
        do throws(TOMLFile.SyntaxError) {
            return try TOMLFile(parsing: text)
        } catch {
            throw failure(error, in: path)
        }
    }

    private static func settings(in toml: TOMLFile, of path: String) throws(Failure) -> [Entry] {
        var found: [Entry] = []
        for entry in toml.entries {
            let place = "\(path), line \(entry.line)"
            guard let setting = Setting(rawValue: entry.key) else { throw unknown(entry.key, at: place) }
            guard let texts = texts(of: entry.value, isList: setting.isList) else {
                throw Failure(
                    .badConfiguration,
                    "\(place): \(setting.rawValue) is \(setting.isList ? "a list of texts" : "one value")",
                    hint: "Write \(setting.example).")
            }
            for text in texts {
                guard let problem = setting.problem(of: text) else { continue }
                throw Failure(
                    .badConfiguration, "\(place): \(setting.rawValue): \(problem)", hint: "Write \(setting.example).")
            }
            found.append(Entry(setting: setting, texts: texts, line: entry.line))
        }
        return found
    }

    /// What a value says, as an option of the command line would; nil for what is of another kind.
    private static func texts(of value: TOMLFile.Value, isList: Bool) -> [String]? {
        switch value {
        case .list(let values) where isList:
            let texts = values.compactMap { text(of: $0) }
            return texts.count == values.count ? texts : nil
        case .list: return nil
        case .text, .integer, .boolean, .other: return isList ? nil : text(of: value).map { [$0] }
        }
    }

    private static func text(of value: TOMLFile.Value) -> String? {
        switch value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .boolean(let isOn): isOn ? "on" : "off"
        case .list, .other: nil
        }
    }

    private static func unknown(_ key: String, at place: String) -> Failure {
        let nearest = Setting.nearest(to: key).map { "Did you mean \($0.rawValue)? Write \($0.example). " } ?? ""
        return Failure(
            .badConfiguration, "\(place): there is no setting \(key)",
            hint: nearest + "There are: \(Setting.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    private static func failure(_ error: TOMLFile.SyntaxError, in path: String) -> Failure {
        let place = [error.line.map { "line \($0)" }, error.column.map { "column \($0)" }].compactMap(\.self)
        return Failure(
            .badConfiguration, "\(([path] + place).joined(separator: ", ")): \(error.reason)",
            hint:
                "A setting is one line such as log-level = \"info\", with texts in quotes; those of a table stand below its name: [files] and then quota = \"20GiB\"."
        )
    }
}
