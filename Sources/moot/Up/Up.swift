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
        discussion: "When the node is ready, prints its user and device and the addresses on which it listens.")

    @Option(help: "Your name; without it the first start takes your login name.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where to listen for other nodes; port 0 takes any free one. By default every address, port 47470.",
            valueName: "host:port"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Another node to stay connected to until this one stops. May be given again. For every start: peers in config.toml.",
            valueName: "host:port"))
    var peer: [String] = []

    @Flag(name: .customLong("no-discovery"), help: "Neither call out on the network nor listen to those who do.")
    var noDiscovery = false

    @Option(help: ArgumentHelp("A network interface for discovery. May be given again.", valueName: "if"))
    var interface: [String] = []

    @Option(
        help: ArgumentHelp(
            "Serve the local API to browsers of this machine, on this port of 127.0.0.1; 0 takes any free one.",
            valueName: "port|off"),
        transform: WebPort.init)
    var web = WebPort.off

    @Option(
        name: .customLong("web-host"),
        help: ArgumentHelp(
            "Another host under which browsers ask for it, as localhost:8080 where that port is forwarded. May be given again.",
            valueName: "host:port"))
    var webHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let the pages of this origin use it, too, such as http://localhost:5173 of a page that you develop: whatever is served there can do everything that you can.",
            valueName: "origin"),
        transform: Self.origin)
    var allowOrigin: AllowedOrigin?

    @Option(
        help: ArgumentHelp(
            "Where notifications are shown. By default on the desktop, if this session has one.",
            valueName: "desktop|off"))
    var notify: Notify?

    @Option(
        help: ArgumentHelp(
            "A program to run for every notification, which it finds as JSON on its standard input.",
            valueName: "program"))
    var notifyCommand: String?

    @Option(
        help: ArgumentHelp(
            "Where the passphrase of the keys is; - for standard input. Without it you are asked, if there is one.",
            valueName: "file"), completion: .file())
    var passphraseFile: String?

    @Option(
        help: ArgumentHelp(
            "Whether words are stored on disk in the clear to be found fast; auto: unless a passphrase is set.",
            valueName: "auto|on|off"))
    var searchIndex = NodeConfiguration.SearchIndex.automatic

    @Option(
        help: ArgumentHelp(
            "Room that files may take on the disk; by default 10GiB. Also: MOOT_FILES_QUOTA, files.quota in config.toml.",
            valueName: "size"))
    var filesQuota: ByteCount?

    @Flag(help: "Write again after Moot stopped because another copy of this home wrote; stop that copy first.")
    var onlyCopy = false

    @Flag(help: "Go on in the background, and return when the node is ready.")
    var detach = false

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"),
        transform: Self.level)
    var logLevel = Logger.Level.notice

    /// Where a detached node tells the command that started it how it went.
    @Option(help: .hidden)
    var reportTo: Int32?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard web != .off || webHost.isEmpty else { throw ValidationError("--web-host goes with --web.") }
        guard web != .off || allowOrigin == nil else { throw ValidationError("--allow-origin goes with --web.") }
        for text in peer where !PeerAddress.isOne(text) {
            throw ValidationError("\"\(text)\" is no HOST:PORT. Write --peer 192.0.2.7:47470.")
        }
        for text in interface where !InterfaceName.isOne(text) {
            throw ValidationError("\"\(text)\" is no name of a network interface. Write --interface eth0.")
        }
    }

    func run() async throws {
        try await common.reporting { output in
            guard !detach else {
                Hardening.apply()
                let ready = try DetachedNode(logFile: common.folders.logFile, passphrase: try passphrase()).start()
                try output.answer(ready) { ready.lines(output) }
                // The node says so in its log, which nobody has before them.
                for sentence in await NamedPlaces(peers: peer, interfaces: noDiscovery ? [] : interface).warnings() {
                    output.warn(sentence)
                }
                output.say("Its log is \(TerminalText.line(common.folders.logFile)); \(downCommand) stops it.")
                return
            }
            do {
                try await serve(output)
            } catch {
                if let reportTo { DetachedNode.tell(ErrorDescription(Failure.detail(of: error)), to: reportTo) }
                throw error
            }
        }
    }

    private func serve(_ output: Output) async throws {
        Hardening.apply()
        MemoryPools.limitPools()
        try OpenFileLimit.increase()
        let logger = makeLogger()
        let folders = common.folders
        let settings = try Settings(file: folders.configurationFile, environment: Folders.processEnvironment)
        let wantsPage = PageOffer.isAccepted(home: folders.home, isChosen: web != .off, by: common)
        let node = try await Node.open(
            NodeConfiguration(
                home: folders.home, runtime: folders.runtime, name: name,
                firstName: Folders.processEnvironment["MOOT_NAME"], listen: listen,
                peers: settings.peers + peer.filter { !settings.peers.contains($0) },
                discovery: !noDiscovery, interfaces: interface, notificationSinks: try notificationSinks(logger),
                searchIndex: searchIndex,
                filesQuota: filesQuota?.bytes ?? settings.filesQuota ?? NodeConfiguration.defaultFilesQuota,
                isOnlyCopy: onlyCopy, logFile: reportTo == nil ? nil : folders.logFile),
            passphrase: try passphrase(), logger: logger)
        try await node.start()
        let manager = ServiceManager(environment: Folders.processEnvironment)
        let server = LocalServer(
            node: node,
            web: (wantsPage ? .port(0) : web).served(otherHosts: webHost, allowedOrigin: allowOrigin), logger: logger
        ) { address in
            await announce(node, address, output, logger)
            manager?.tell(.ready)
            guard wantsPage, let address else { return }
            // A browser takes its time to start, and the node does not wait for it.
            Task { await PageOffer.open(address.address, by: folders.runtime, output) }
        }
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: NodeService(node: node)), .init(service: server),
                .init(service: SupervisedService(node: node, manager: manager)),
                .init(
                    service: LonelyNode(
                        node: node, output: output, logger: logger, isLogged: reportTo != nil || Self.isService)),
                .init(service: LockService(node: node), successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: configuration).run()
    }

    private func notificationSinks(_ logger: Logger) throws -> [any NotificationSink] {
        try Notify.notificationSinks(
            notify, command: notifyCommand, environment: Folders.processEnvironment, logger: logger)
    }

    private func passphrase() throws -> Passphrase? {
        try PassphraseInput(common).current(
            file: passphraseFile ?? PassphraseInput.credential(Folders.processEnvironment),
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
        // What a detached node or a service prints stays in a log, where a secret has no business.
        if reportTo != nil || Self.isService { ready.web = nil }
        do throws(UnreadableJSON) {
            try output.answer(ready) { ready.lines(output) }
        } catch {
            logger.error("The address cannot be printed", metadata: ["reason": "\(error.sentence)"])
        }
    }

    /// Whether what the process prints goes into the journal of systemd.
    private static var isService: Bool { getenv("JOURNAL_STREAM") != nil }

    private func makeLogger() -> Logger {
        let isJournal = Self.isService
        var logger = Logger(label: "moot") { label in
            StandardErrorLog(label: label, level: .notice, isJournal: isJournal)
        }
        logger.logLevel = logLevel
        return logger
    }

    @Sendable
    private static func origin(_ text: String) throws -> AllowedOrigin {
        guard let origin = AllowedOrigin(text) else {
            throw ValidationError("\"\(text)\" is no origin: write http://localhost:5173, without a path.")
        }
        return origin
    }

    @Sendable
    private static func level(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError(
                "\"\(name)\" is none of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return level
    }
}

extension NodeConfiguration.SearchIndex: ExpressibleByArgument {}
