import ArgumentParser
import Cryptography
import Glibc
import KeyStore
import LocalAPIModel
import LocalAPIServer
import Logging
import Node
import ServiceLifecycle
import Supervision
import UnixSignals

/// `moot up`
struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the node until Ctrl-C.",
        discussion: """
            When the node is ready, prints its user and device and the addresses on which it listens. What an option says for one run stands in \
            moot.toml for every run: `moot config` shows what counts.
            """)

    @Option(help: "Your name; without it the first start takes your login name.")
    var name: String?

    @OptionGroup var chosen: SettingOptions

    @Flag(
        help: """
            Write again after Moot stopped because another copy of this home wrote; stop that copy first. A home that was restored or recovered \
            writes without waiting for anybody.
            """)
    var onlyCopy = false

    @Flag(help: "Go on in the background, and return when the node is ready.")
    var detach = false

    /// Where a detached node tells the command that started it how it went.
    @Option(help: .hidden)
    var reportTo: Int32?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.reporting { output in
            guard !detach else { return try await runDetached(output) }
            do {
                try await serve(output)
            } catch {
                if let reportTo { DetachedNode.tell(ErrorDescription(Failure.detail(of: error)), to: reportTo) }
                throw error
            }
        }
    }

    private func runDetached(_ output: Output) async throws {
        Hardening.apply()
        let settings = try ownSettings()
        let ready = try DetachedNode(logFile: common.folders.logFile, passphrase: try passphrase(settings)).start()
        try output.answer(ready) { ready.lines(output) }
        // The node says so in its log, which nobody has before them.
        let places = NamedPlaces(
            peers: settings[.peers], interfaces: settings.discovers ? settings[.interfaces] : [])
        for sentence in await places.warnings() { output.warn(sentence) }
        output.say("Its log is \(TerminalText.line(common.folders.logFile)); \(downCommand) stops it.")
    }

    private func serve(_ output: Output) async throws {
        Hardening.apply()
        MemoryPools.limitPools()
        try OpenFileLimit.increase()
        let start = self.start
        let settings = try ownSettings()
        let logLevel = LogLevel(settings.logLevel)
        let logger = Self.makeLogger(logLevel)
        if settings.isFileThere, settings.file == common.folders.settingsFiles.last {
            logger.warning(
                "This name of the file of settings is an old one",
                metadata: ["file": "\(settings.file)", "now": "moot.toml"])
        }
        let folders = common.folders
        let wantsPage = PageOffer.isAccepted(home: folders.home, isChosen: settings.isChosen(.web), by: common)
        let node = try await open(settings, logger)
        try await node.start()
        let manager = ServiceManager(environment: start.environment)
        let keeper = RunningSettings(settings, from: start, of: node, logLevel: logLevel, logger: logger)
        let server = LocalServer(
            node: node,
            web: (wantsPage ? .port(0) : settings.web).served(
                otherHosts: settings[.webHosts], allowedOrigin: settings.allowedOrigin),
            settings: keeper, diagnostician: NodeDoctor(home: folders.home, socketPath: node.socketPath), logger: logger
        ) { address in
            await announce(node, address, output, logger)
            manager?.tell(.ready)
            guard wantsPage, let address else { return }
            // A browser takes its time to start, and the node does not wait for it.
            Task { await PageOffer.open(address.address, by: folders.runtime, output) }
        }
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: NodeService(node: node)), .init(service: server),
            .init(service: SupervisedService(node: node, manager: manager)),
            .init(
                service: LonelyNode(
                    node: node, output: output, logger: logger, isLogged: reportTo != nil || Self.isService)),
            .init(service: LockService(node: node), successTerminationBehavior: .gracefullyShutdownGroup),
        ]
        var signals: [UnixSignal] = [.sigterm, .sigint]
        // A terminal says by the same signal that it is gone, and its node goes with it.
        if Terminal.isTerminal(.input) {
            signals.append(.sighup)
        } else {
            services.append(.init(service: ReloadService(settings: keeper, logger: logger)))
        }
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: signals, logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The settings, once nobody else decides what is in the home.
    private func ownSettings() throws -> Settings {
        try Home.makeFolder(common.folders.home)
        return try Settings(start)
    }

    /// Where the settings come from.
    private var start: Settings.Start {
        Settings.Start(
            options: chosen.chosen, defaults: chosen.defaults, environment: Folders.processEnvironment,
            files: common.folders.settingsFiles)
    }

    private func open(_ settings: Settings, _ logger: Logger) async throws -> Node {
        let folders = common.folders
        return try await Node.open(
            NodeConfiguration(
                home: folders.home, runtime: folders.runtime, name: name, firstName: settings.firstName,
                listen: settings.listen, peers: settings[.peers], discovery: settings.discovers,
                interfaces: settings[.interfaces],
                notificationSinks: try Notify.notificationSinks(
                    settings.notify, command: settings.notifyCommand, environment: Folders.processEnvironment,
                    logger: logger),
                searchIndex: settings.searchIndex, filesQuota: settings.filesQuota, isOnlyCopy: onlyCopy,
                logFile: reportTo == nil ? nil : folders.logFile),
            passphrase: try passphrase(settings), logger: logger)
    }

    private func passphrase(_ settings: Settings) throws -> Passphrase? {
        try PassphraseInput(common).current(
            file: settings.passphraseFile ?? PassphraseInput.credential(Folders.processEnvironment),
            isNeeded: try StoppedHome.needsPassphrase(common.folders.home))
    }

    /// What stops the node that these options start.
    private var downCommand: String {
        "moot down" + (common.home.map { " --home " + ShellWord.quoted($0) } ?? "")
    }

    private func announce(
        _ node: Node, _ address: WebAddressDescription?, _ output: Output, _ logger: Logger
    ) async {
        let status = await node.status()
        var ready = ReadyDescription(
            name: status.name, user: status.user, device: status.device, listening: status.listening,
            socket: node.socketPath, web: address?.address, home: common.folders.home,
            deleted: await node.isDeleted ? true : nil, pid: getpid())
        if let reportTo { DetachedNode.tell(ready, to: reportTo) }
        // What a detached node or a service prints stays in a log, where neither a name nor a secret has any business.
        if reportTo != nil || Self.isService { (ready.name, ready.web) = (nil, nil) }
        do throws(UnreadableJSON) {
            try output.answer(ready) { ready.lines(output) }
        } catch {
            logger.error("The address cannot be printed", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Whether what the process prints goes into the journal of systemd. A terminal that a service opened has the
    /// variable, too.
    private static var isService: Bool { getenv("JOURNAL_STREAM") != nil && !Terminal.isTerminal(.output) }

    private static func makeLogger(_ level: LogLevel) -> Logger {
        let journal = Journal(environment: Folders.processEnvironment)
        return Logger(label: "moot") { label -> any LogHandler in
            if let journal { return JournalLog(journal, label: label, level: level) }
            return StandardErrorLog(label: label, level: level, isJournal: false)
        }
    }
}
