import LocalAPIModel
import LocalAPIServer
import Logging
import Node
import NodeCore

/// The settings of a node that runs, which reads them again when its user changed the file.
actor RunningSettings: SettingsKeeper {
    private let start: Settings.Start
    private let node: Node
    private let logLevel: LogLevel
    private let logger: Logger
    /// Those in force.
    private var settings: Settings

    init(_ settings: Settings, from start: Settings.Start, of node: Node, logLevel: LogLevel, logger: Logger) {
        self.start = start
        self.node = node
        self.logLevel = logLevel
        self.logger = logger
        self.settings = settings
    }

    var description: SettingsDescription { settings.description }

    /// Reads the file again, and has the node take over what it can. Where anything in the file is wrong, nothing
    /// changes.
    ///
    /// - Throws: `bad_configuration`, `permission_denied`.
    func reload() async throws(NodeError) -> SettingsReloadDescription {
        let read: Settings
        let sinks: [any NotificationSink]
        do throws(Failure) {
            read = try Settings(start)
            sinks = try Notify.notificationSinks(
                read.notify, command: read.notifyCommand, environment: start.environment, logger: logger)
        } catch {
            throw NodeError(
                NodeError.Code(rawValue: error.detail.code) ?? .badConfiguration, error.detail.message,
                hint: error.detail.hint)
        }
        let (changed, waiting) = settings.takeOver(read)
        for setting in changed {
            switch setting {
            // Those in force: they may have been read once more meanwhile.
            case .peers: try await node.name(peers: settings[.peers])
            case .filesQuota: await node.limitFiles(to: settings.filesQuota)
            case .logLevel: logLevel.set(settings.logLevel)
            case .notify, .notifyCommand, .name, .listen, .discovery, .interfaces, .web, .webHosts, .allowOrigin,
                .passphraseFile, .searchIndex:
                continue
            }
        }
        if changed.contains(.notify) || changed.contains(.notifyCommand) { await node.notify(by: sinks) }
        let description = SettingsReloadDescription(
            file: read.file, isFileThere: read.isFileThere, applied: changed.map(\.rawValue),
            needRestart: waiting.map(\.rawValue))
        logger.notice(
            "The settings were read again", metadata: ["outcome": "\(description.sentences.joined(separator: " "))"])
        return description
    }
}

extension SettingsReloadDescription {
    /// What it says, for people.
    var sentences: [String] {
        let outcome =
            applied.isEmpty
            ? "Nothing changed for the running node." : "In force now: \(applied.joined(separator: ", "))."
        let wait =
            needRestart.isEmpty
            ? nil : "From the next start on, with moot down and moot up: \(needRestart.joined(separator: ", "))."
        return [outcome, wait].compactMap(\.self)
    }
}
