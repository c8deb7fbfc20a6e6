import Foundation
import LocalAPIModel
import LocalAPIServer
import Logging
import Node
import Testing

@testable import moot

@Suite("Settings")
struct SettingsTests {
    private func settings(
        _ text: String?, _ environment: [String: String] = [:], options: [Setting: [String]] = [:],
        defaults: [Setting: [String]] = [:]
    ) async throws -> Settings {
        try await Scratch.with { folder in
            let path = "\(folder)/moot.toml"
            if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
            return try Settings(
                Settings.Start(options: options, defaults: defaults, environment: environment, files: [path]))
        }
    }

    @Test func `are what a node begins with where nobody chose anything`() async throws {
        for text in [nil, ""] {
            let settings = try await settings(text)
            #expect(settings.filesQuota == NodeConfiguration.defaultFilesQuota && settings.web == .off)
            #expect(settings.listen == nil && settings[.peers].isEmpty && settings.discovers)
            #expect(settings.logLevel == .notice && settings.searchIndex == .automatic && settings.notify == nil)
            #expect(settings.isFileThere == (text != nil))
            #expect(settings.description.settings.allSatisfy { $0.source == .initial && $0.place == nil })
        }
    }

    @Test func `may all stand in a file`() async throws {
        let settings = try await settings(
            """
            name = "Alice"
            listen = "0.0.0.0:47471"
            peers = ["192.0.2.7:47470", 'a.example:1', "[fd00::7]:47470"]
            discovery = false
            interfaces = ["eth0"]
            web = 8420
            web-hosts = ["localhost:8080"]
            allow-origin = "http://localhost:5173"
            notify = "off"
            notify-command = "/bin/true"
            passphrase-file = "/home/alice/passphrase"
            search-index = "on"
            log-level = "debug"
            [files]
            quota = "20GiB"
            """)
        #expect(settings.firstName == "Alice" && settings.listen == "0.0.0.0:47471" && !settings.discovers)
        #expect(settings[.peers] == ["192.0.2.7:47470", "a.example:1", "[fd00::7]:47470"])
        #expect(settings[.interfaces] == ["eth0"] && settings.web == .port(8_420))
        #expect(settings[.webHosts] == ["localhost:8080"])
        #expect(settings.allowedOrigin?.description == "http://localhost:5173")
        #expect(settings.notify == .off && settings.notifyCommand == "/bin/true")
        #expect(settings.passphraseFile == "/home/alice/passphrase" && settings.searchIndex == .on)
        #expect(settings.filesQuota == 20 << 30 && settings.logLevel == .debug)
        #expect(settings.description.settings.allSatisfy { $0.source == .file && $0.place?.contains("line") == true })
    }

    @Test(arguments: Setting.allCases)
    func `have an example that is read as it stands`(setting: Setting) async throws {
        guard !["web", "notify", "search-index", "files.quota"].contains(setting.rawValue) else { return }
        #expect(try await settings(setting.example).isChosen(setting))
    }

    @Test func `of an option win over the environment, those over the file, and the file over a unit`() async throws {
        let file = "log-level = \"info\"\nweb = 1"
        var found: [Logger.Level] = []
        found.append(try await settings(nil, defaults: [.logLevel: ["error"]]).logLevel)
        found.append(try await settings(file, defaults: [.logLevel: ["error"]]).logLevel)
        found.append(try await settings(file, ["MOOT_LOG_LEVEL": "debug"]).logLevel)
        let all = try await settings(
            file, ["MOOT_LOG_LEVEL": "debug", "MOOT_NAME": ""], options: [.logLevel: ["trace"]], defaults: [.web: ["0"]]
        )
        found.append(all.logLevel)
        #expect(found == [.error, .info, .debug, .trace])
        let described = all.description.settings.first { $0.name == "log-level" }
        #expect(described?.source == .commandLine && described?.values == ["trace"])
        #expect(all.web == .port(1), "a unit's word is the weakest")
    }

    @Test func `of an option add peers for one run`() async throws {
        let settings = try await settings("peers = [\"a:1\"]", options: [.peers: ["b:1", "a:1"]])
        #expect(settings[.peers] == ["a:1", "b:1"])
        let listed = try await self.settings(nil, ["MOOT_PEERS": "a:1, b:1"])
        #expect(listed[.peers] == ["a:1", "b:1"])
    }

    @Test(arguments: [
        ("quota = \"20GiB\"", "line 1", "Did you mean files.quota?"),
        ("[files]\nquotas = \"20GiB\"", "files.quotas", "Did you mean files.quota?"),
        ("log_level = \"info\"", "line 1", "Did you mean log-level?"), ("peer = []", "line 1", "Did you mean peers?"),
        ("xyzzy = 1", "there is no setting xyzzy", "There are: name, listen, peers"),
        ("[files]\nquota = 20", "line 2", "20GiB"),
        ("[files]\nquota = [\"1GiB\"]", "files.quota is one value", "20GiB"),
        ("peers = \"a:1\"", "peers is a list", "peers = ["),
        ("peers = [\"a:1\", \":1\"]", "\":1\" is no HOST:PORT", "peers = ["),
        ("peers = [1.5]", "peers is a list", "peers = ["), ("web = 70000", "\"70000\" is no port", "web = 8420"),
        ("web = 2026-11-25", "web is one value", "web = 8420"),
        ("discovery = \"maybe\"", "no on or off", "discovery = false"),
        ("log-level = \"loud\"", "warning, error, critical", "log-level = \"info\""),
        ("listen = \"nowhere\"", "no address to listen on", "0.0.0.0:47470"),
        ("interfaces = [\"a b\"]", "no name of a network interface", "eth0"),
        ("allow-origin = \"null\"", "no origin", "5173"),
        ("\"files.quota\" = \"1GiB\"", "there is no setting", "There are"),
        ("[files", "line 1, column 7", "A setting is one line"),
        ("a = 1\n a = 2", "line 2, column 6: ", "A setting is one line"),
        ("\nhello", "line 2, column", "A setting is one line"),
        ("peers = [a:1]", "line 1, column 10", "A setting is one line"),
    ])
    func `that cannot be are refused with their place and what may be there`(
        text: String, message: String, hint: String
    ) async throws {
        do {
            _ = try await settings(text)
            Issue.record("they were taken")
        } catch let failure as Failure {
            #expect(failure.detail.code == "bad_configuration")
            #expect(failure.detail.message.contains(message), "\(failure.detail.message)")
            #expect(failure.detail.hint?.contains(hint) == true, "\(failure.detail.hint ?? "")")
        }
    }

    @Test func `of the environment that are none are refused, too`() async throws {
        await #expect(throws: Failure.self) { try await settings(nil, ["MOOT_FILES_QUOTA": "much"]) }
        #expect(try await settings(nil, ["MOOT_FILES_QUOTA": "500MiB"]).filesQuota == 500 << 20)
    }

    @Test func `about the page are refused where an option leaves none to speak of`() async throws {
        await #expect(throws: Failure.self) { try await settings(nil, options: [.webHosts: ["localhost:1"]]) }
        #expect(try await settings("web = 1", options: [.webHosts: ["localhost:1"]])[.webHosts] == ["localhost:1"])
    }

    @Test func `are read from the file's older name only where the newer one is not there`() async throws {
        try await Scratch.with { folder in
            let paths = ["moot.toml", "config.toml"].map { "\(folder)/\($0)" }
            #expect(try Settings(Settings.Start(files: paths)).file == paths[0])
            try Data("[files]\nquota = \"1GiB\"".utf8).write(to: URL(filePath: paths[1]))
            let old = try Settings(Settings.Start(files: paths))
            #expect(old.filesQuota == 1 << 30 && old.file == paths[1])
            try Data().write(to: URL(filePath: paths[0]))
            let new = try Settings(Settings.Start(files: paths))
            #expect(!new.isChosen(.filesQuota) && new.file == paths[0])
        }
    }

    @Test(arguments: [
        String(repeating: "# a\n", count: SettingsFile.maximumBytes / 4) + "#", "a = \u{FFFF}",
        String(repeating: "[", count: 1 << 20), "a = 1" + String(repeating: "0", count: 60_000), "\0",
    ])
    func `are not read from what is too large, or no text`(text: String) async {
        await #expect(throws: Failure.self) { try await settings(text) }
    }

    @Test func `are not read from bytes that are no UTF-8`() async throws {
        try await Scratch.with { folder in
            let path = "\(folder)/moot.toml"
            try Data([0x61, 0x3D, 0x22, 0xFF, 0x22]).write(to: URL(filePath: path))
            #expect(throws: Failure.self) { try SettingsFile(path) }
        }
    }

    @Test func `are not read where another user decides what they are, whenever that began`() async throws {
        try await Scratch.with { folder in
            let path = "\(folder)/moot.toml"
            let start = Settings.Start(options: [:], defaults: [:], environment: [:], files: [path])
            _ = try Settings(start)
            try Data("notify-command = \"/bin/true\"".utf8).write(to: URL(filePath: path))
            try #require(chmod(path, 0o600) == 0)
            #expect(try Settings(start).notifyCommand != nil)
            for (place, open, closed) in [(path, 0o602, 0o600), (folder, 0o703, 0o700)] as [(String, mode_t, mode_t)] {
                try #require(chmod(place, open) == 0)
                let refused = #expect(throws: Failure.self) { try Settings(start) }
                #expect(refused?.detail.code == ErrorCode.permissionDenied.rawValue)
                try #require(chmod(place, closed) == 0)
            }
            guard geteuid() == 0 else { return }
            try #require(chown(path, 4_001, 4_001) == 0)
            #expect(throws: Failure.self) { try Settings(start) }
        }
    }

    @Test func `of a running node change where it can take them over, and wait else`() async throws {
        var running = try await settings("peers = [\"a:1\"]\nweb = 1\nname = \"Alice\"")
        let read = try await settings("log-level = \"info\"\nweb = 2\nname = \"Bob\"\n[files]\nquota = \"1GiB\"")
        let (changed, waiting) = running.takeOver(read)
        #expect(changed == [.peers, .filesQuota, .logLevel] && waiting == [.web])
        #expect(running[.peers].isEmpty && running.web == .port(1) && running.logLevel == .info)
        #expect(running.takeOver(read).waiting == [.web], "it waits until the node starts again")
    }

    @Test func `have a name near to a misspelt one`() {
        #expect(Setting.nearest(to: "quota") == .filesQuota && Setting.nearest(to: "log_level") == .logLevel)
        #expect(Setting.nearest(to: "Peers") == .peers && Setting.nearest(to: "colour") == nil)
        #expect(Setting.nearest(to: String(repeating: "peers", count: 9_000)) == nil)
        #expect(Setting.filesQuota.variable == "MOOT_FILES_QUOTA" && Setting.webHosts.variable == "MOOT_WEB_HOSTS")
    }
}
