import Foundation
import Glibc
import LocalAPIModel
import Logging
import Node
import Synchronization

/// Shows notifications on the desktop, through whatever provides org.freedesktop.Notifications on the session bus
/// (Desktop Notifications Specification 1.2).
///
/// A thread of its own talks to the bus. What is to be shown waits in a queue, of each conversation only the newest, so
/// a bus that hangs neither stops the node nor fills its memory. Without a bus or a server notifications are lost, and
/// the next one tries again.
public final class DesktopSink: NotificationSink {
    private let address: String
    private let logger: Logger
    private let opener: LinkOpener
    private let queue: NotificationQueue?

    /// Takes the address of a session bus, as in DBUS_SESSION_BUS_ADDRESS. Nothing is connected before there is
    /// something to show.
    ///
    /// - Parameter environment: the variables of the session, by which what the user clicks on is opened.
    public init(
        address: String, environment: [String: String] = ProcessInfo.processInfo.environment, logger: Logger
    ) {
        self.address = address
        self.logger = logger
        opener = LinkOpener(environment: environment, logger: logger)
        queue = NotificationQueue()
    }

    /// Begins the thread that talks to the bus.
    public func start(acting act: @escaping @Sendable (NotificationAction) -> Void) {
        guard let queue else { return logger.warning("there are no desktop notifications: no pipe is left") }
        let (address, logger) = (address, logger)
        let thread = Thread {
            var desktop = Desktop(address: address, logger: logger, act: act)
            desktop.serve(queue)
        }
        thread.name = "moot.desktop"
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Lets the desktop show a notification in the place of the one of the same conversation.
    public func show(_ notification: NotificationDescription) { queue?.put(.show(notification)) }

    /// Lets the desktop take away the notification of a conversation.
    public func clear(conversation: String) { queue?.put(.clear(conversation)) }

    /// Lets the desktop start the program that opens conversations.
    public func open(_ notification: NotificationDescription) { opener.open(notification.link) }

    /// Ends the thread; what is shown stays.
    public func stop() { queue?.close() }
}

/// What the thread of the desktop is to do, and a pipe that wakes it.
final class NotificationQueue: Sendable {
    /// One thing to do.
    enum Command: Sendable {
        case show(NotificationDescription)
        case clear(String)

        var conversation: String {
            switch self {
            case .show(let notification): notification.conversation
            case .clear(let conversation): conversation
            }
        }
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Readable while there is something to do.
    let descriptor: Int32
    private let waker: Int32

    /// Makes an empty one; nil if the system has no pipe left.
    init?() {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, waker) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(waker)
    }

    /// Puts something in, in the place of what is to be done with the same conversation.
    func put(_ command: Command) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.commands.removeAll { $0.conversation == command.conversation }
            state.commands.append(command)
        }
        wake()
    }

    /// Takes nothing more, and lets the reader go.
    func close() {
        state.withLock { $0 = State(isClosed: true) }
        wake()
    }

    /// Takes everything out; nil once it is closed.
    func take() -> [Command]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        return state.withLock { state in
            defer { state.commands = [] }
            return state.isClosed ? nil : state.commands
        }
    }

    private func wake() {
        // A full pipe wakes as well.
        var byte: UInt8 = 1
        _ = write(waker, &byte, 1)
    }
}
