import Foundation
import LocalAPIModel
import Logging
import Synchronization
import Testing
import Waiting

@testable import DesktopNotifications
@testable import Node

@Suite("Notifications on the desktop", .enabled(if: PrivateBus.daemon != nil, "dbus-daemon is not installed"))
struct DesktopSinkTests {
    /// What the user did, as the node hears of it.
    private final class Actions: Sendable {
        private let done = Mutex<[NotificationAction]>([])

        var all: [NotificationAction] { done.withLock { $0 } }

        func add(_ action: NotificationAction) { done.withLock { $0.append(action) } }
    }

    private let actions = Actions()

    private func sink(on address: String, environment: [String: String] = [:]) -> DesktopSink {
        let sink = DesktopSink(
            address: address, environment: environment, logger: Logger(label: "moot") { _ in SwiftLogNoOpLogHandler() })
        sink.start { [actions] in actions.add($0) }
        return sink
    }

    private func notification(
        _ title: String, _ body: String = "Ahoy", of conversation: String = "ship"
    ) -> NotificationDescription {
        NotificationDescription(
            conversation: conversation, message: nil, title: title, body: body, count: 1,
            link: "moot://conversation/\(conversation)")
    }

    @Test func `of a conversation one is shown, which the next replaces and reading takes away`() async throws {
        let bus = try PrivateBus()
        let server = try StandIn(on: bus.address, capabilities: ["body"])
        let sink = sink(on: bus.address)
        sink.show(notification("Bob in Ship"))
        await eventually("the first is shown") { server.shown.count == 1 }
        sink.show(notification("2 new messages in Ship"))
        await eventually("the second is shown") { server.shown.count == 2 }
        sink.show(notification("Carol", of: "carol"))
        await eventually("the other one is shown") { server.shown.count == 3 }
        #expect(server.shown.map(\.id) == [1, 1, 2])
        #expect(server.shown.allSatisfy { $0.actions.isEmpty }, "this desktop offers no actions")
        sink.clear(conversation: "ship")
        await eventually("it is taken away") { server.closed == [1] }
        sink.stop()
        server.stop()
    }

    @Test func `what the user does with it gets to the node`() async throws {
        let bus = try PrivateBus()
        let server = try StandIn(on: bus.address, capabilities: ["body", "actions", "inline-reply"])
        let sink = sink(on: bus.address)
        let shown = notification("Bob in Ship")
        sink.show(shown)
        await eventually("it is shown") { server.shown.count == 1 }
        #expect(
            server.shown.first?.actions
                == ["default", "Open", "mark-read", "Mark as read", "inline-reply", "Reply"])
        server.invoke("default", of: 1)
        server.invoke("mark-read", of: 99)
        server.invoke("mark-read", of: 1)
        server.reply("Aye", to: 1)
        await eventually("all of it was heard") { actions.all.count == 3 }
        #expect(
            actions.all == [.open(shown), .markRead(conversation: "ship"), .reply("Aye", conversation: "ship")])
        sink.stop()
        server.stop()
    }

    /// A desktop's opener, and a service manager that does what a test says.
    private struct Openers {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moot-\(UUID().uuidString)")

        /// Makes them. Each writes a line of how it was called.
        init(serviceManager: String = "exit 1") throws {
            try FileManager.default.createDirectory(
                at: folder.appending(path: "data/applications"), withIntermediateDirectories: true)
            for (name, rest) in [("xdg-open", ""), ("systemd-run", serviceManager)] {
                let script = "#!/bin/sh\necho \"\(name) $*\" >> '\(folder.path)/called'\n\(rest)\n"
                try #require(
                    FileManager.default.createFile(
                        atPath: folder.appending(path: name).path, contents: Data(script.utf8),
                        attributes: [.posixPermissions: 0o700]))
            }
        }

        /// Installs the program that opens conversations.
        func install() {
            let entry = folder.appending(path: "data/applications/moot.desktop").path
            #expect(FileManager.default.createFile(atPath: entry, contents: nil))
        }

        var environment: [String: String] {
            [
                "PATH": "\(folder.path):/usr/bin:/bin", "XDG_DATA_HOME": folder.appending(path: "data").path,
                // Moot may be installed on the host of the tests.
                "XDG_DATA_DIRS": folder.appending(path: "system").path,
            ]
        }

        /// How they were called.
        var calls: [String] {
            let bytes = FileManager.default.contents(atPath: folder.appending(path: "called").path) ?? Data()
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test(.enabled(if: PrivateBus.daemon != nil && geteuid() == 0, "needs a bus of another user"))
    func `nothing is told to a bus of another user`() throws {
        // Root's is anybody's, so here the bus of somebody else is one of nobody.
        let bus = try PrivateBus(of: 65_534)
        #expect {
            _ = try BusConnection.open(bus.address)
        } throws: { error in
            (error as? BusError)?.name == "org.freedesktop.DBus.Error.AccessDenied"
                && (error as? BusError)?.message.hasSuffix("another user's") == true
        }
    }

    @Test func `what a notification leads to is opened, where the desktop knows how`() async throws {
        let openers = try Openers()
        defer { openers.remove() }
        let sink = sink(on: "unix:path=/nonexistent/bus", environment: openers.environment)
        sink.open(notification("Bob in Ship", of: "early"))
        openers.install()
        sink.open(notification("Bob in Ship"))
        await eventually("it is opened") { !openers.calls.isEmpty }
        #expect(openers.calls == ["xdg-open moot://conversation/ship"])
        sink.stop()
    }

    /// A browser that is started inside a unit is confined as the node is, and ends with it.
    @Test(arguments: [true, false])
    func `a service lets the user's manager start the opener, if that can`(isAble: Bool) async throws {
        let openers = try Openers(serviceManager: isAble ? "exit 0" : "exit 1")
        defer { openers.remove() }
        openers.install()
        let sink = sink(
            on: "unix:path=/nonexistent/bus",
            environment: openers.environment.merging(["INVOCATION_ID": "0123"]) { $1 })
        sink.open(notification("Bob in Ship"))
        let link = "moot://conversation/ship"
        let outside = "systemd-run --user --quiet --collect --property=KillMode=process -- xdg-open \(link)"
        let expected = isAble ? [outside] : [outside, "xdg-open \(link)"]
        await eventually("it is opened") { openers.calls.count == expected.count }
        try await Task.sleep(for: .milliseconds(isAble ? 100 : 0))
        #expect(openers.calls == expected)
        sink.stop()
    }

    @Test(arguments: [(["body", "body-markup"], "&lt;b&gt;R&amp;D&lt;/b&gt;"), (["body"], "<b>R&D</b>")])
    func `a text is shown as it was written, whether or not the desktop reads markup`(
        capabilities: [String], expected: String
    ) async throws {
        let bus = try PrivateBus()
        let server = try StandIn(on: bus.address, capabilities: capabilities)
        let sink = sink(on: bus.address)
        sink.show(notification("Bob", "<b>R&D</b>"))
        await eventually("it is shown") { server.shown.count == 1 }
        #expect(server.shown.first?.body == expected)
        sink.stop()
        server.stop()
    }

    @Test func `whether the bus hangs, is gone or never was, nobody waits for it`() async throws {
        let bus = try PrivateBus()
        bus.freeze()
        let frozen = sink(on: bus.address)
        let nowhere = sink(on: "unix:path=/nonexistent/bus")
        let begin = ContinuousClock.now
        for number in 1...10_000 {
            frozen.show(notification("\(number)"))
            nowhere.show(notification("\(number)"))
        }
        frozen.clear(conversation: "ship")
        frozen.stop()
        nowhere.stop()
        #expect(ContinuousClock.now - begin < .seconds(2).scaled)
    }

    @Test func `a bus that comes back after it was lost is found again`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "moot-link-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try PrivateBus()
        let sink = sink(on: "unix:path=\(path)")
        try await serve(first, at: path, title: "before", sink)
        first.stop()
        let second = try PrivateBus()
        try await serve(second, at: path, title: "after", sink)
        sink.stop()
    }

    private func serve(_ bus: PrivateBus, at path: String, title: String, _ sink: DesktopSink) async throws {
        let socket = try #require(bus.address.split(separator: ",").first?.split(separator: "=").last)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: String(socket))
        let server = try StandIn(on: bus.address, capabilities: [])
        defer { server.stop() }
        await eventually("it is shown", pause: .milliseconds(50)) {
            // The first attempt may be what notices that the old bus is gone.
            if server.shown.isEmpty { sink.show(notification(title)) }
            return !server.shown.isEmpty
        }
        #expect(server.shown.first?.title == title)
    }
}
