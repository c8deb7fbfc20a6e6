import LocalAPIModel
import LocalAPIServer
import Logging
import Node

/// What counts for a node: an option of `moot up` wins over the environment, the environment over `moot.toml`, and that
/// over what a unit of a service manager begins with.
struct Settings: Equatable, Sendable {
    /// What was said by whoever starts a node, which a running one cannot be told anew.
    struct Start: Sendable {
        /// What the options of `moot up` say.
        var options: [Setting: [String]] = [:]
        /// What counts where nothing else was chosen, by `--default`.
        var defaults: [Setting: [String]] = [:]
        var environment: [String: String] = [:]
        /// The paths of `moot.toml`: the first that is there counts.
        let files: [String]
    }

    /// What is chosen, and who chose it.
    struct Choice: Equatable, Sendable {
        var texts: [String]
        var source: SettingDescription.Source
        /// The variable, or the file with the line.
        var place: String?
    }

    private var choices: [Setting: Choice] = [:]
    /// The file that was read, or would be.
    private(set) var file: String
    /// Whether it is there.
    private(set) var isFileThere: Bool

    /// Puts together what was chosen where.
    ///
    /// - Throws: `bad_configuration` where a setting is none or cannot be so, `permission_denied` where the file may
    ///   not be read.
    init(_ start: Start) throws(Failure) {
        var read: [SettingsFile] = []
        for path in start.files {
            read.append(try SettingsFile(path))
            if read.last?.isThere == true { break }
        }
        let file = read.last { $0.isThere } ?? read.first
        self.file = file?.path ?? ""
        isFileThere = file?.isThere ?? false
        for (setting, texts) in start.defaults { choices[setting] = Choice(texts: texts, source: .unit) }
        for entry in file?.entries ?? [] {
            choices[entry.setting] = Choice(
                texts: entry.texts, source: .file, place: "\(self.file), line \(entry.line)")
        }
        for setting in Setting.allCases {
            guard let text = start.environment[setting.variable], !text.isEmpty else { continue }
            let texts = try Self.texts(in: text, of: setting)
            choices[setting] = Choice(texts: texts, source: .environment, place: setting.variable)
        }
        for (setting, texts) in start.options { choose(texts, for: setting) }
        if self[.web] == [WebPort.off.description] {
            for setting in [Setting.webHosts, .allowOrigin] where choices[setting]?.source == .commandLine {
                throw Failure(
                    .invalidRequest, "\(setting.rawValue) says who may use the page, and no page is served",
                    hint: "Serve one with --web PORT.")
            }
        }
    }

    private static func texts(in text: String, of setting: Setting) throws(Failure) -> [String] {
        let texts = setting.isList ? text.split { $0 == "," || $0 == " " }.map(String.init) : [text]
        for text in texts {
            guard let problem = setting.problem(of: text) else { continue }
            throw Failure(.badConfiguration, "\(setting.variable): \(problem)")
        }
        return texts
    }

    private mutating func choose(_ texts: [String], for setting: Setting) {
        var all = texts
        // Whoever adds a peer for one run does not want to lose the others.
        if setting == .peers { all = self[.peers] + texts.filter { !self[.peers].contains($0) } }
        choices[setting] = Choice(
            texts: all, source: .commandLine, place: setting == .peers ? choices[.peers]?.place : nil)
    }

    /// What a setting is.
    subscript(setting: Setting) -> [String] { choices[setting]?.texts ?? setting.initial }

    /// Whether anybody chose it.
    func isChosen(_ setting: Setting) -> Bool { choices[setting] != nil }

    /// Takes over from others what a running node can take over.
    ///
    /// - Returns: what changed, and what would have if the node was started again.
    mutating func takeOver(_ others: Settings) -> (changed: [Setting], waiting: [Setting]) {
        var (changed, waiting): ([Setting], [Setting]) = ([], [])
        (file, isFileThere) = (others.file, others.isFileThere)
        for setting in Setting.allCases {
            let differs = self[setting] != others[setting]
            if setting.isReloadable || !differs { choices[setting] = others.choices[setting] }
            guard differs else { continue }
            // A name counts at the first start, which was.
            if setting.isReloadable { changed.append(setting) } else if setting != .name { waiting.append(setting) }
        }
        return (changed, waiting)
    }
}

extension Settings {
    private func text(_ setting: Setting) -> String? { self[setting].first }

    /// The name that the first start takes.
    var firstName: String? { text(.name) }
    /// Where to listen; nil for every address and the usual port.
    var listen: String? { isChosen(.listen) ? text(.listen) : nil }
    var discovers: Bool { text(.discovery) != OnOff.off.rawValue }
    /// What the local API is told.
    var web: WebPort { text(.web).flatMap(WebPort.init) ?? .off }
    var allowedOrigin: AllowedOrigin? { text(.allowOrigin).flatMap(AllowedOrigin.init) }
    var notify: Notify? { text(.notify).flatMap(Notify.init(rawValue:)) }
    var notifyCommand: String? { text(.notifyCommand) }
    var passphraseFile: String? { text(.passphraseFile) }
    var searchIndex: NodeConfiguration.SearchIndex {
        text(.searchIndex).flatMap(NodeConfiguration.SearchIndex.init) ?? .automatic
    }
    /// Bytes that files may take on disk.
    var filesQuota: Int {
        text(.filesQuota).flatMap { ByteCount(argument: $0)?.bytes } ?? NodeConfiguration.defaultFilesQuota
    }
    var logLevel: Logger.Level { text(.logLevel).flatMap(Logger.Level.init(rawValue:)) ?? .notice }

    /// All of them, for people and programs.
    var description: SettingsDescription {
        SettingsDescription(
            file: file, isFileThere: isFileThere,
            settings: Setting.allCases.map { setting in
                SettingDescription(
                    name: setting.rawValue, values: self[setting], source: choices[setting]?.source ?? .initial,
                    place: choices[setting]?.place, isReloadable: setting.isReloadable)
            })
    }
}
