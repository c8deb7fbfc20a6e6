import DesktopNotifications
import LocalAPIModel
import Logging
import Node

/// Where notifications are shown.
enum Notify: String, CaseIterable {
    /// On the desktop of this session.
    case desktop
    /// Nowhere but in the interfaces of the node.
    case off

    /// What brings notifications before the user.
    ///
    /// - Parameters:
    ///   - choice: what they chose; nil to go by whether the session has a bus.
    ///   - command: their own program, if they have one.
    /// - Throws: ``Failure`` for a desktop without a bus, and for a program that is not there.
    static func notificationSinks(
        _ choice: Notify?, command: String?, environment: [String: String], logger: Logger
    ) throws(Failure) -> [any NotificationSink] {
        var notificationSinks: [any NotificationSink] = []
        let bus = environment["DBUS_SESSION_BUS_ADDRESS"].flatMap { $0.isEmpty ? nil : $0 }
        switch (choice ?? .desktop, bus) {
        case (.desktop, let bus?):
            notificationSinks.append(DesktopSink(address: bus, logger: logger))
        case (.desktop, nil) where choice != nil:
            throw Failure(
                .badConfiguration, "There is no desktop to show notifications on",
                hint:
                    "Start the node in a desktop session, where DBUS_SESSION_BUS_ADDRESS is set, or with --notify off."
            )
        case (.desktop, nil), (.off, _):
            break
        }
        if let command {
            guard let sink = CommandSink(program: command, path: environment["PATH"] ?? "", logger: logger) else {
                throw Failure(
                    .badConfiguration, "There is no program \"\(command)\" to run for notifications",
                    hint: "--notify-command takes a path or the name of a program, without arguments.")
            }
            notificationSinks.append(sink)
        }
        return notificationSinks
    }
}
