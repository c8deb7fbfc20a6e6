import ArgumentParser

/// The options of `moot up` that set what could also stand in `moot.toml`.
struct SettingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to listen for other nodes; port 0 takes any free one. By default every address, port 47470.",
            valueName: "host:port"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "Another node to stay connected to until this one stops. May be given again. For every start: peers in moot.toml.",
            valueName: "host:port"))
    var peer: [String] = []

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: "Whether to call out on the network and listen to those who do; by default yes.")
    var discovery: Bool?

    @Option(help: ArgumentHelp("A network interface for discovery. May be given again.", valueName: "if"))
    var interface: [String] = []

    @Option(
        help: ArgumentHelp(
            "Serve the local API to browsers of this machine, on this port of 127.0.0.1; 0 takes any free one. By default off.",
            valueName: "port|off"))
    var web: String?

    @Option(
        name: .customLong("web-host"),
        help: ArgumentHelp(
            "Another host under which programs with a token ask for it, as localhost:8080 where that port is forwarded. May be given again.",
            valueName: "host:port"))
    var webHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let the pages of this origin use it, too, such as http://localhost:5173 of a page that you develop: whatever is served there can do everything that you can.",
            valueName: "origin"))
    var allowOrigin: String?

    @Option(
        help: ArgumentHelp(
            "Where notifications are shown. By default on the desktop, if this session has one.",
            valueName: "desktop|off"))
    var notify: String?

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
            "Whether words are stored on disk in the clear to be found fast. By default auto: unless a passphrase is set.",
            valueName: "auto|on|off"), completion: .list(["auto", "on", "off"]))
    var searchIndex: String?

    @Option(
        help: ArgumentHelp("Room that files may take on the disk; by default 10GiB.", valueName: "size"))
    var filesQuota: String?

    @Option(
        help: ArgumentHelp(
            "trace, debug, info, notice, warning, error or critical. By default notice.", valueName: "level"))
    var logLevel: String?

    @Option(
        name: .customLong("default"),
        help: ArgumentHelp(
            "What a setting is where nothing else chose it, as units of systemd say it: web=0. May be given again.",
            valueName: "setting=value"))
    var initial: [String] = []

    /// What was chosen.
    var chosen: [Setting: [String]] {
        var chosen: [Setting: [String]] = [
            .peers: peer, .interfaces: interface, .webHosts: webHost,
            .discovery: discovery.map { [($0 ? OnOff.on : .off).rawValue] } ?? [],
        ]
        let single: [Setting: String?] = [
            .listen: listen, .web: web, .allowOrigin: allowOrigin, .notify: notify, .notifyCommand: notifyCommand,
            .passphraseFile: passphraseFile, .searchIndex: searchIndex, .filesQuota: filesQuota, .logLevel: logLevel,
        ]
        for (setting, text) in single { chosen[setting] = text.map { [$0] } ?? [] }
        return chosen.filter { !$0.value.isEmpty }
    }

    /// What counts where nothing was chosen.
    var defaults: [Setting: [String]] {
        initial.reduce(into: [:]) { defaults, text in
            guard let (setting, value) = Self.pair(text) else { return }
            defaults[setting] = setting.isList ? (defaults[setting] ?? []) + [value] : [value]
        }
    }

    private static func pair(_ text: String) -> (setting: Setting, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let setting = Setting(rawValue: parts[0]) else { return nil }
        return (setting, parts[1])
    }

    func validate() throws {
        for (setting, texts) in chosen.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for text in texts { try check(text, of: setting) }
        }
        for text in initial {
            guard let (setting, value) = Self.pair(text) else {
                throw ValidationError("\"\(text)\" is no SETTING=VALUE. Write --default web=0.")
            }
            try check(value, of: setting)
        }
    }

    private func check(_ text: String, of setting: Setting) throws {
        if let problem = setting.problem(of: text) { throw ValidationError("\(setting.rawValue): \(problem).") }
    }
}
