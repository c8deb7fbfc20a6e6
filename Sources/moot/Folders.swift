import Glibc

/// Where a node keeps its things: one folder for all of it, or the places that the XDG base directories name.
struct Folders: Equatable {
    /// What the node keeps.
    let home: String
    /// The Unix socket.
    let runtime: String
    /// What the node wrote about its work.
    let log: String

    /// Where what the user chose for every start may be: the first that is there counts. The last has the name that the
    /// file had before.
    let settingsFiles: [String]

    var socketPath: String { runtime + "/moot.sock" }
    var logFile: String { log + "/moot.log" }

    /// Finds the folders: the option, then `MOOT_HOME`, then XDG. A relative XDG path is invalid and ignored, as its
    /// specification says.
    init(home option: String?, environment: [String: String]) {
        if let chosen = option ?? environment["MOOT_HOME"], !chosen.isEmpty {
            home = Self.absolute(chosen)
            runtime = home
            log = home + "/log"
            settingsFiles = Self.settingsFiles(in: home)
            return
        }
        func place(_ variable: String, otherwise fallback: String) -> String {
            guard let path = environment[variable], path.hasPrefix("/") else { return fallback }
            return path + "/moot"
        }
        let user = environment["HOME"] ?? "/"
        home = place("XDG_DATA_HOME", otherwise: user + "/.local/share/moot")
        // Without a desktop session there is no runtime folder.
        runtime = place("XDG_RUNTIME_DIR", otherwise: home)
        settingsFiles = Self.settingsFiles(in: place("XDG_CONFIG_HOME", otherwise: user + "/.config/moot"))
        log = place("XDG_STATE_HOME", otherwise: user + "/.local/state/moot") + "/log"
    }

    /// The environment of this process.
    static var processEnvironment: [String: String] {
        let names = [
            "MOOT_HOME", "HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "NO_COLOR",
            "JOURNAL_STREAM", "PATH", "DBUS_SESSION_BUS_ADDRESS", "CREDENTIALS_DIRECTORY", "NOTIFY_SOCKET",
            "WATCHDOG_PID", "WATCHDOG_USEC",
        ]
        return (names + Setting.allCases.map(\.variable)).reduce(into: [:]) { values, name in
            if let value = getenv(name) { values[name] = String(cString: value) }
        }
    }

    private static func settingsFiles(in folder: String) -> [String] {
        ["moot.toml", "config.toml"].map { "\(folder)/\($0)" }
    }

    private static func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
