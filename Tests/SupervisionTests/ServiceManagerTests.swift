import Foundation
import Supervision
import SupervisionFixtures
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
    private static func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "moot-notify-\(UUID().uuidString)").path
    }

    @Test(arguments: [path(), "@moot-test-\(UUID().uuidString)"])
    func `hears what it is told, on a path and by an abstract name`(name: String) async throws {
        let socket = try NotificationSocket(name)
        defer { unlink(name) }
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": name]))
        for message in [ServiceManager.Message.ready, .alive, .stopping] {
            #expect(manager.tell(message))
            #expect(await socket.next(within: .seconds(5)) == message.rawValue)
        }
        #expect(await socket.next(within: .milliseconds(1)) == nil)
    }

    @Test(arguments: ["", "@", "relative", "/" + String(repeating: "x", count: 200), "vsock:2:1234", "/a\0b"])
    func `is none where nobody can be told`(name: String) {
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": name]) == nil)
        #expect(ServiceManager(environment: [:]) == nil)
    }

    @Test func `that is gone is told nothing, and nobody waits for it`() throws {
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": Self.path()]))
        #expect(!manager.tell(.ready))
    }

    @Test func `that does not read holds nobody up for long`() throws {
        let socket = try NotificationSocket(Self.path())
        defer { unlink(socket.name) }
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.name]))
        var told = 0
        while told < 100_000, manager.tell(.alive) { told += 1 }
        #expect(told > 0 && told < 100_000)
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "2000000"], Duration.seconds(2)),
        (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], .seconds(2)),
        (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
        (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ])
    func `watches as the environment says`(variables: [String: String], interval: Duration?) throws {
        let environment = variables.merging(["NOTIFY_SOCKET": "/notify"]) { $1 }
        let manager = try #require(ServiceManager(environment: environment, process: 7))
        #expect(manager.watchdogInterval == interval)
    }

    @Test func `hears of a service as long as that comes to its turn`() async throws {
        let socket = try NotificationSocket(Self.path())
        defer { unlink(socket.name) }
        let environment = ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "20000"]
        let manager = try #require(ServiceManager(environment: environment))
        let turns = AsyncStream<Void>.makeStream()
        let watchdog = Watchdog(telling: manager) {
            for await _ in turns.stream { return }
        }
        let watching = Task { await watchdog.run() }
        #expect(await socket.next(within: .milliseconds(100)) == nil, "the service has not come to it")
        for _ in 0..<2 {
            turns.continuation.yield()
            #expect(await socket.next(within: .seconds(5)) == "WATCHDOG=1")
        }
        #expect(await socket.next(within: .milliseconds(100)) == nil, "the service is stuck")
        watching.cancel()
        await watching.value
    }

    @Test func `that does not watch is left alone`() async throws {
        let socket = try NotificationSocket(Self.path())
        defer { unlink(socket.name) }
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": socket.name]))
        await Watchdog(telling: manager) { Issue.record("nobody asked") }.run()
        #expect(await socket.next(within: .milliseconds(1)) == nil)
    }
}
