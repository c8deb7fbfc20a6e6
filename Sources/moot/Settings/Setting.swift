import LocalAPIServer
import Logging
import Node
import StreamTransport

/// What a user can choose for every start of their node: by an option of `moot up`, in the environment, or in
/// `moot.toml`.
enum Setting: String, CaseIterable, Sendable {
    case name
    case listen
    case peers
    case discovery
    case interfaces
    case web
    case webHosts = "web-hosts"
    case allowOrigin = "allow-origin"
    case notify
    case notifyCommand = "notify-command"
    case passphraseFile = "passphrase-file"
    case searchIndex = "search-index"
    case filesQuota = "files.quota"
    case logLevel = "log-level"

    /// The variable of the environment that sets it; of a list its parts have commas between them.
    var variable: String {
        "MOOT_" + rawValue.uppercased().map { $0 == "-" || $0 == "." ? "_" : String($0) }.joined()
    }

    /// Whether it has any number of values.
    var isList: Bool {
        switch self {
        case .peers, .interfaces, .webHosts: true
        case .name, .listen, .discovery, .web, .allowOrigin, .notify, .notifyCommand, .passphraseFile, .searchIndex,
            .filesQuota, .logLevel:
            false
        }
    }

    /// Whether a running node takes it over; else it counts from the next start on.
    var isReloadable: Bool {
        switch self {
        case .peers, .notify, .notifyCommand, .filesQuota, .logLevel: true
        case .name, .listen, .discovery, .interfaces, .web, .webHosts, .allowOrigin, .passphraseFile, .searchIndex:
            false
        }
    }

    /// What counts where nothing was chosen; empty for nothing, and where it depends on the host.
    var initial: [String] {
        switch self {
        case .listen: ["[::]:47470"]
        case .discovery: ["on"]
        case .web: ["off"]
        case .searchIndex: [NodeConfiguration.SearchIndex.automatic.rawValue]
        case .filesQuota: ["\(NodeConfiguration.defaultFilesQuota >> 30)GiB"]
        case .logLevel: [Logger.Level.notice.rawValue]
        case .name, .peers, .interfaces, .webHosts, .allowOrigin, .notify, .notifyCommand, .passphraseFile: []
        }
    }

    /// How it is written in `moot.toml`.
    var example: String {
        switch self {
        case .name: "name = \"Alice\""
        case .listen: "listen = \"0.0.0.0:47470\""
        case .peers: "peers = [\"192.0.2.7:47470\"]"
        case .discovery: "discovery = false"
        case .interfaces: "interfaces = [\"eth0\"]"
        case .web: "web = 8420, or web = \"off\""
        case .webHosts: "web-hosts = [\"localhost:8080\"]"
        case .allowOrigin: "allow-origin = \"http://localhost:5173\""
        case .notify: "notify = \"desktop\", or notify = \"off\""
        case .notifyCommand: "notify-command = \"/usr/local/bin/told\""
        case .passphraseFile: "passphrase-file = \"/home/alice/.config/moot/passphrase\""
        case .searchIndex: "search-index = \"on\", \"off\" or \"auto\""
        case .filesQuota: "quota = \"20GiB\" below [files]"
        case .logLevel: "log-level = \"info\""
        }
    }

    /// What is wrong with a value; nil for one that can be.
    func problem(of text: String) -> String? {
        let isOne =
            switch self {
            case .name, .webHosts, .notifyCommand, .passphraseFile: !text.isEmpty
            case .listen: SocketAddress(text) != nil
            case .peers: PeerAddress.isOne(text)
            case .discovery: OnOff(rawValue: text) != nil
            case .interfaces: InterfaceName.isOne(text)
            case .web: WebPort(text) != nil
            case .allowOrigin: AllowedOrigin(text) != nil
            case .notify: Notify(rawValue: text) != nil
            case .searchIndex: NodeConfiguration.SearchIndex(rawValue: text) != nil
            case .filesQuota: ByteCount(argument: text) != nil
            case .logLevel: Logger.Level(rawValue: text) != nil
            }
        return isOne ? nil : "\"\(text)\" is no \(kind)"
    }

    /// What its values are.
    private var kind: String {
        switch self {
        case .name: "name"
        case .listen: "address to listen on, HOST:PORT with a number for each"
        case .peers: "HOST:PORT"
        case .discovery: "on or off"
        case .interfaces: "name of a network interface"
        case .web: "port from 0 to 65535, nor \"off\""
        case .webHosts: "HOST:PORT"
        case .allowOrigin: "origin such as http://localhost:5173, without a path"
        case .notify: "\"desktop\" or \"off\""
        case .notifyCommand: "program"
        case .passphraseFile: "file"
        case .searchIndex: "\"auto\", \"on\" or \"off\""
        case .filesQuota: "number of bytes, such as 500MiB or 20GiB"
        case .logLevel: "level: there are \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"
        }
    }

    /// The setting that somebody meant who wrote a name that there is not; nil where none is much like it.
    static func nearest(to key: String) -> Setting? {
        guard key.count <= 40 else { return nil }
        // Who forgets the table means its setting all the same.
        let meant = allCases.first { $0.rawValue.hasSuffix("." + key) }
        let near = allCases.map { (setting: $0, distance: CommandSuggestion.distance(key.lowercased(), $0.rawValue)) }
            .min { ($0.distance, $0.setting.rawValue) < ($1.distance, $1.setting.rawValue) }
        return meant ?? near.flatMap { $0.distance <= max(1, key.count / 3) ? $0.setting : nil }
    }
}
