import Foundation
import LocalAPIModel
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

/// Another user of the host has got hold of the cookie: a page that they serve on another port of 127.0.0.1 is shown
/// it.
@Suite("Another user of the host")
struct OtherUserStories {
    private static let canBeNobody =
        geteuid() == 0
        && ["/usr/bin/setpriv", "/usr/bin/curl"].allSatisfy(FileManager.default.isExecutableFile(atPath:))
    private static let hasIPv6 = FileManager.default.fileExists(atPath: "/proc/net/tcp6")

    /// What curl writes of a connection that was closed without an answer.
    private static let closed = " 000"

    /// A program that a user starts, and what it writes.
    private func start(_ command: [String], as user: Int) throws -> (Process, output: FileHandle) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/setpriv")
        process.arguments = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"] + command
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// Asks with curl as a user, and returns the body and then the status: 000 of a connection that was closed without
    /// an answer.
    private func ask(_ url: String, _ fields: String..., host: String, as user: Int) async throws -> String {
        let command = [
            "/usr/bin/curl", "--silent", "--globoff", "--max-time", "20", "--write-out", " %{http_code}", "--header",
            "Host: \(host)", url,
        ]
        let (_, output) = try start(command + fields.flatMap { ["--header", $0] }, as: user)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: String(decoding: output.readDataToEndOfFile(), as: UTF8.self))
            }
        }
    }

    @Test(.enabled(if: canBeNobody, "only root can ask as another user, with setpriv and curl"))
    func `gets nothing with the cookie or the token, which are good for the node's own user`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let browser = try Browser(alice.webAddress)
            let secrets = try await browser.enter(alice.webAddress).map { "\($0.0): \($0.1)" }
            let token = try await alice.client.webToken().token
            let (host, place) = (browser.host, "127.0.0.1:\(browser.port)")
            let bearer = "Authorization: Bearer \(token)"
            for (field, other) in [(secrets[0], secrets[1]), (bearer, "Accept: */*")] {
                let ours = try await ask("http://\(place)/api/v1/status", field, other, host: host, as: 0)
                #expect(ours.hasSuffix(" 200"), "\(ours)")
                for path in ["/api/v1/status", "/api/v1/health", "/api/v1/events"] {
                    let theirs = try await ask("http://\(place)\(path)", field, other, host: host, as: 65_534)
                    #expect(theirs == Self.closed)
                }
                let page = try await ask("http://\(place)/", field, other, host: host, as: 65_534)
                #expect(page == Self.closed)
            }
            let fresh = try await alice.client.makeWebAddress()
            let stolen = try await ask(fresh.address, "Accept: */*", host: host, as: 65_534)
            #expect(stolen == Self.closed)
            _ = try await browser.follow(fresh)
        }
    }

    @Test(.enabled(if: canBeNobody && hasIPv6, "only root can ask as another user, and here over IPv6"))
    func `is told apart also where a socket of IPv6 is used`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let port = try Browser(alice.webAddress).port
            let field = "Authorization: Bearer \(try await alice.client.webToken().token)"
            let url = "http://[::ffff:127.0.0.1]:\(port)/api/v1/status"
            #expect(try await ask(url, field, host: "127.0.0.1:\(port)", as: 0).hasSuffix(" 200"))
            #expect(try await ask(url, field, host: "127.0.0.1:\(port)", as: 65_534) == Self.closed)
        }
    }

    @Test(.enabled(if: canBeNobody, "only root can ask as another user, with setpriv and curl"))
    func `takes none of the user's places, however many connections they keep`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let port = try Browser(alice.webAddress).port
            let script = """
                ulimit -n 4096
                for _ in {1..\(LoopbackServer.maximumConnections + 50)}; do exec {f}<>/dev/tcp/127.0.0.1/\(port) || exit 1; done
                echo connected; read
                """
            let (crowd, output) = try start(["/bin/bash", "-c", script], as: 65_534)
            defer { crowd.terminate() }
            let said: Data = await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: output.availableData) }
            }
            #expect(String(decoding: said, as: UTF8.self) == "connected\n")
            let ours = try await ask(
                "http://127.0.0.1:\(port)/api/v1/health", host: "127.0.0.1:\(port)", as: 0)
            #expect(ours.hasSuffix(" 200"), "\(ours)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `who holds up loopback does not hold up the Unix socket`() async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            let isAnswered = DispatchSemaphore(value: 0)
            func hold() { isAnswered.wait() }
            Task(executorPreference: EventLoopExecutor.loopback) { hold() }
            defer { isAnswered.signal() }
            let me = try await alice.client.profile()
            #expect(!me.device.isEmpty)
        }
    }
}
