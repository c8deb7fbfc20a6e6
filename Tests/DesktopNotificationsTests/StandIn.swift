import CDBus
import Foundation
import Synchronization

@testable import DesktopNotifications

/// Stands in for the desktop's server of notifications: it keeps what it is told to show, and does what a user would.
final class StandIn: Sendable {
    struct Failed: Error {}

    /// Something it shows or showed.
    struct Shown: Hashable {
        let id: UInt32
        let title: String
        let body: String
        let actions: [String]
    }

    private struct State {
        var shown: [Shown] = []
        var closed: [UInt32] = []
        var gestures: [Gesture] = []
        var isReady = false
        var isStopped = false
    }

    private struct Gesture: Sendable {
        let signal: String
        let id: UInt32
        let text: String
    }

    private let state = Mutex(State())

    /// Takes the name of the server on a bus, with these capabilities.
    init(on address: String, capabilities: [String]) throws {
        Thread.detachNewThread { [self] in
            guard let connection = try? BusConnection.open(address),
                (try? connection.ask("RequestName", [.text("org.freedesktop.Notifications"), .number(0)])) != nil
            else { return }
            state.withLock { $0.isReady = true }
            while !state.withLock({ $0.isStopped }) {
                while let message = connection.next() { answer(message, capabilities, over: connection) }
                for gesture in state.withLock({ state in
                    defer { state.gestures = [] }
                    return state.gestures
                }) {
                    emit(gesture, over: connection)
                }
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
        let deadline = Date(timeIntervalSinceNow: 10)
        while !state.withLock({ $0.isReady }) {
            guard Date() < deadline else { throw Failed() }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Everything it was told to show, in order.
    var shown: [Shown] { state.withLock { $0.shown } }

    /// The numbers of what it was told to take away.
    var closed: [UInt32] { state.withLock { $0.closed } }

    func invoke(_ action: String, of id: UInt32) { gesture("ActionInvoked", id, action) }

    func reply(_ text: String, to id: UInt32) { gesture("NotificationReplied", id, text) }

    func stop() { state.withLock { $0.isStopped = true } }

    private func gesture(_ signal: String, _ id: UInt32, _ text: String) {
        state.withLock { $0.gestures.append(Gesture(signal: signal, id: id, text: text)) }
    }

    private func answer(
        _ message: BusMessage, _ capabilities: [String], over connection: BusConnection
    ) {
        guard let member = dbus_message_get_member(message.pointer).map({ String(cString: $0) }),
            dbus_message_get_type(message.pointer) == DBUS_MESSAGE_TYPE_METHOD_CALL,
            let pointer = dbus_message_new_method_return(message.pointer)
        else { return }
        let answer = BusMessage(owning: pointer)
        let values = message.arguments
        switch member {
        case "GetCapabilities":
            _ = answer.append([.texts(capabilities)])
        case "Notify":
            guard values.count >= 6, case .number(let replaced) = values[1], case .text(let title) = values[3],
                case .text(let body) = values[4], case .texts(let actions) = values[5]
            else { return }
            let id = state.withLock { state in
                let id = replaced > 0 ? replaced : (state.shown.map(\.id).max() ?? 0) + 1
                state.shown.append(Shown(id: id, title: title, body: body, actions: actions))
                return id
            }
            _ = answer.append([.number(id)])
        case "CloseNotification":
            if case .number(let id)? = values.first { state.withLock { $0.closed.append(id) } }
        default:
            return
        }
        _ = connection.send(answer)
    }

    private func emit(_ gesture: Gesture, over connection: BusConnection) {
        guard
            let pointer = dbus_message_new_signal(
                "/org/freedesktop/Notifications", "org.freedesktop.Notifications", gesture.signal)
        else { return }
        let signal = BusMessage(owning: pointer)
        _ = signal.append([.number(gesture.id), .text(gesture.text)])
        _ = connection.send(signal)
    }
}
