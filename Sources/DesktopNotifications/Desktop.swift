import Glibc
import LocalAPIModel
import Logging
import Node

/// The desktop as its own thread sees it: the connection, what is shown, and what the user does with it.
struct Desktop {
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let address: String
    private let logger: Logger
    private let act: (NotificationAction) -> Void

    private var connection: BusConnection?
    /// The unique name of the server, once it has answered.
    private var server: String?
    private var capabilities: Set<String> = []
    /// What is shown, by the number that the server gave it.
    private var shown: [UInt32: NotificationDescription] = [:]
    private var hasComplained = false

    /// Knows of no bus yet.
    init(address: String, logger: Logger, act: @escaping (NotificationAction) -> Void) {
        self.address = address
        self.logger = logger
        self.act = act
    }

    /// Does what comes into the queue, and tells what the user does, until the queue is closed.
    mutating func serve(_ queue: NotificationQueue) {
        while let commands = queue.take() {
            for command in commands {
                switch command {
                case .show(let notification): show(notification)
                case .clear(let conversation): clear(conversation)
                }
            }
            hear()
            wait(for: queue)
        }
    }

    /// Waits until there is something to do or to hear.
    private func wait(for queue: NotificationQueue) {
        var places = [pollfd(fd: queue.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket = connection?.descriptor { places.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        poll(&places, nfds_t(places.count), -1)
    }

    // MARK: - Showing

    private mutating func show(_ notification: NotificationDescription) {
        do throws(BusError) {
            try connect()
            let replaced = shown.first { $0.value.conversation == notification.conversation }?.key
            let answer = try call("Notify", arguments(for: notification, replacing: replaced ?? 0))
            guard case .number(let id)? = answer.arguments.first else { return }
            if let replaced { shown[replaced] = nil }
            shown[id] = notification
            server = answer.sender
            hasComplained = false
        } catch {
            complain(error)
        }
    }

    private mutating func clear(_ conversation: String) {
        guard let id = shown.first(where: { $0.value.conversation == conversation })?.key else { return }
        shown[id] = nil
        do throws(BusError) {
            _ = try call("CloseNotification", [.number(id)])
        } catch {
            complain(error)
        }
    }

    private func arguments(
        for notification: NotificationDescription, replacing id: UInt32
    ) -> [BusMessage.Value] {
        var actions: [String] = []
        if capabilities.contains("actions") {
            actions = ["default", "Open", "mark-read", "Mark as read"]
            if capabilities.contains("inline-reply"), notification.count > 0 { actions += ["inline-reply", "Reply"] }
        }
        // Only where markup is understood would a "<" mean something else than itself.
        let body = capabilities.contains("body-markup") ? Markup.escaped(notification.body) : notification.body
        return [
            .text("Moot"), .number(id), .text(""), .text(notification.title), .text(body), .texts(actions),
            .variants(Self.hints(for: notification)),
            .signed(-1),
        ]
    }

    private static func hints(for notification: NotificationDescription) -> [String: BusMessage.Value] {
        var hints: [String: BusMessage.Value] = [
            "category": .text("im.received"), "desktop-entry": .text("moot"), "urgency": .byte(1),
            "x-moot-link": .text(notification.link),
        ]
        if notification.sound {
            hints["sound-name"] = .text("message-new-instant")
        } else {
            hints["suppress-sound"] = .flag(true)
        }
        return hints
    }

    // MARK: - Hearing

    /// Tells what the user did.
    private mutating func hear() {
        while let message = connection?.next() {
            guard message.sender == server, case .number(let id)? = message.arguments.first,
                let notification = shown[id]
            else { continue }
            let detail = message.arguments.dropFirst().first
            if message.isSignal("NotificationClosed", of: Self.name) {
                shown[id] = nil
            } else if message.isSignal("ActionInvoked", of: Self.name), detail == .text("default") {
                act(.open(notification))
            } else if message.isSignal("ActionInvoked", of: Self.name), detail == .text("mark-read") {
                act(.markRead(conversation: notification.conversation))
            } else if message.isSignal("NotificationReplied", of: Self.name), case .text(let text)? = detail {
                act(.reply(text, conversation: notification.conversation))
            }
        }
        if let isOpen = connection?.isOpen, !isOpen { disconnect() }
    }

    // MARK: - The bus

    private mutating func connect() throws(BusError) {
        if let isOpen = connection?.isOpen, isOpen { return }
        disconnect()
        let fresh = try BusConnection.open(address)
        _ = try fresh.ask(
            "AddMatch", [.text("type='signal',interface='\(Self.name)',path='\(Self.path)',sender='\(Self.name)'")])
        connection = fresh
        if case .texts(let names)? = try call("GetCapabilities").arguments.first { capabilities = Set(names) }
    }

    private mutating func disconnect() {
        connection = nil
        server = nil
        shown = [:]
        capabilities = []
    }

    private func call(_ method: String, _ arguments: [BusMessage.Value] = []) throws(BusError) -> BusMessage {
        guard let answer = try connection?.call(method, of: Self.name, at: Self.path, on: Self.name, arguments) else {
            throw BusError(name: "org.freedesktop.DBus.Error.Disconnected", message: "there is no connection")
        }
        return answer
    }

    /// Says once what is wrong, until something worked again. What the server itself refused is no reason to give the
    /// connection up.
    private mutating func complain(_ error: BusError) {
        if error.isOfTheBus { disconnect() }
        guard !hasComplained else { return }
        hasComplained = true
        logger.notice("the desktop shows no notifications", metadata: ["error": "\(error.name)"])
    }
}

/// The markup that servers of notifications read in a text, which is a little of HTML.
enum Markup {
    /// The text as it is to be shown, written so that nothing in it is markup.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
