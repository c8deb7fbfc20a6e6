import Foundation
import LocalAPIModel
import Testing

@testable import moot

@Suite("Settings")
struct SettingsTests {
    private func settings(_ text: String?, _ environment: [String: String] = [:]) async throws -> Settings {
        try await Scratch.with { folder in
            let path = "\(folder)/config.toml"
            if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
            return try Settings(file: path, environment: environment)
        }
    }

    @Test func `are none without a file`() async throws {
        #expect(try await settings(nil).filesQuota == nil)
        #expect(try await settings("").filesQuota == nil)
    }

    @Test(arguments: [
        "[files]\nquota = \"20GiB\"", "# mine\r\n\r\n [ files ] # room\r\n\tquota='20 GiB'  # enough\r\n",
        "files.quota = \"20GiB\"",
    ])
    func `stand in a file`(text: String) async throws {
        #expect(try await settings(text).filesQuota == 20 << 30)
    }

    @Test(arguments: [
        ("peers = [\"192.0.2.7:47470\", 'a.example:1']", ["192.0.2.7:47470", "a.example:1"]),
        ("peers=[ \"[fd00::7]:47470\" , ]  # at home\n[files]\nquota = '1GiB'", ["[fd00::7]:47470"]),
        ("peers = []", []), ("[files]\nquota = \"1GiB\"", []),
    ])
    func `name the peers of every start`(text: String, peers: [String]) async throws {
        #expect(try await settings(text).peers == peers)
    }

    @Test func `of the environment win`() async throws {
        let quota = try await settings("[files]\nquota = \"20GiB\"", ["MOOT_FILES_QUOTA": "1GiB"]).filesQuota
        #expect(quota == 1 << 30)
        #expect(try await settings(nil, ["MOOT_FILES_QUOTA": "500MiB"]).filesQuota == 500 << 20)
    }

    @Test(arguments: [
        ("quota = \"20GiB\"", "line 1"), ("[files]\nquotas = \"20GiB\"", "files.quotas"),
        ("[files]\nquota = 20", "line 2"),
        ("[files]\nquota = \"20\"", "\"20\""), ("[files", "line 1"), ("[files] quota = \"1GiB\"", "line 1"),
        ("[files]\nquota = \"1GiB", "line 2"), ("[files]\nquota = \"1GiB\" x", "line 2"), ("\nhello", "line 2"),
        ("[files]\nquota = \"\\u0031GiB\"", "line 2"), ("[files]\nquota = '1GiB'\nquota = '2GiB'", "line 3"),
        ("[files]\nquota = \"\"", "no number"), ("[]", "line 1"), ("peers = \"a:1\"", "a list"),
        ("peers = [\"a:1\" \"b:1\"]", "line 1"), ("peers = [\"a:1\"", "line 1"), ("peers = [a:1]", "line 1"),
        ("peers = [,]", "line 1"), ("peers = []\npeers = []", "line 2"), ("peers = [\"a\"]", "\"a\""),
        ("peers = [\":1\"]", "\":1\""), ("peers = [\"a:0\"]", "\"a:0\""), ("[files]\nquota = [\"1GiB\"]", "one text"),
        ("[files]\npeers = [\"a:1\"]", "files.peers"), ("peers = [\"a:1\"] x", "line 1"),
    ])
    func `that are none are refused, with their place`(text: String, place: String) async throws {
        do {
            _ = try await settings(text)
            Issue.record("they were taken")
        } catch let failure as Failure {
            #expect(failure.detail.code == "bad_configuration")
            #expect(failure.detail.message.contains(place), "\(failure.detail.message)")
        }
    }

    @Test func `of the environment that are none are refused, too`() async throws {
        await #expect(throws: Failure.self) { try await settings(nil, ["MOOT_FILES_QUOTA": "much"]) }
    }
}
