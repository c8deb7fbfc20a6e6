import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot config`
struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the settings and where each comes from, or have the node read them again.",
        discussion: """
            Settings are options of `moot up`, variables of the environment, and lines of moot.toml, in this order: the first that says something counts.
            """,
        subcommands: [Show.self, Reload.self], defaultSubcommand: Show.self)

    /// `moot config show`, which is what `moot config` does.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract:
                "Show each setting and where it comes from; of a node that does not run, what it would start with.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.reporting { output in
                let (settings, isRunning) = try await found()
                try output.answer(settings) {
                    var table = Table("SETTING", "VALUE", "FROM", "CHANGES")
                    for setting in settings.settings {
                        table.add(
                            setting.name, setting.values.isEmpty ? "-" : setting.values.joined(separator: ", "),
                            setting.place.map { "\(setting.source.words) (\($0))" } ?? setting.source.words,
                            setting.isReloadable ? "on reload" : "on restart")
                    }
                    return table.lines(output)
                }
                output.say(
                    "The file is \(TerminalText.line(settings.file))\(settings.isFileThere ? "" : ", which is not there")."
                        + (isRunning ? "" : " No node is running: these are what this shell would start one with."))
            }
        }

        /// Those of the node that runs, else those that one would have.
        private func found() async throws -> (SettingsDescription, isRunning: Bool) {
            do throws(LocalClientError) {
                return (try await common.client.settings(), true)
            } catch {
                guard case .notRunning = error else { throw error }
            }
            let start = Settings.Start(environment: Folders.processEnvironment, files: common.folders.settingsFiles)
            return (try Settings(start).description, false)
        }
    }

    /// `moot config reload`
    struct Reload: NodeCommand {
        static let configuration = CommandConfiguration(
            commandName: "reload", abstract: "Have the running node read moot.toml again.",
            discussion: """
                It says what is in force now, and what counts from the next start on. Where anything in the file is wrong, nothing changes. \
                SIGHUP does the same for a node without a terminal, and its log has the answer.
                """)

        @OptionGroup var common: CommonOptions

        func run(asking node: LocalClient, printing output: Output) async throws {
            let reload = try await node.reloadSettings()
            let missing = reload.isFileThere ? [] : ["There is no \(TerminalText.line(reload.file))."]
            try output.changed(reload, (missing + reload.sentences).joined(separator: " "))
        }
    }
}

extension SettingDescription.Source {
    /// What people are told of it.
    fileprivate var words: String {
        switch self {
        case .commandLine: "command line"
        case .environment: "environment"
        case .file: "file"
        case .unit: "--default"
        case .initial: "default"
        case .unknown: "?"
        }
    }
}
