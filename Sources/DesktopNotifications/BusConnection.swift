import CDBus
import Glibc

/// A connection to a message bus of D-Bus, to be used on one thread.
///
/// Every question has a deadline, so a bus that hangs costs that thread some seconds and nobody else anything.
final class BusConnection {
    /// How long to wait for an answer, in milliseconds.
    static let timeout: Int32 = 3_000

    /// The name, path and interface of the bus itself.
    private static let bus = (name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")

    private let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
        // A bus that goes away must not take the node with it.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
    }

    /// Connects to the bus of an address and introduces itself.
    ///
    /// - Throws: ``BusError``, also for a bus of another user than this one and root: once the user's own is gone,
    ///   others may listen where it was, and read what the user is told.
    static func open(_ address: String) throws(BusError) -> BusConnection {
        var error = DBusError()
        dbus_error_init(&error)
        guard let pointer = dbus_connection_open_private(address, &error) else { throw BusError(taking: &error) }
        let connection = BusConnection(owning: pointer)
        guard let owner = connection.descriptor.flatMap(owner(of:)), [geteuid(), 0].contains(owner) else {
            throw BusError(
                name: "org.freedesktop.DBus.Error.AccessDenied", message: "the bus at \(address) is another user's")
        }
        let greeting = try connection.ask("Hello")
        guard case .text(let name)? = greeting.arguments.first, dbus_bus_set_unique_name(pointer, name) != 0 else {
            throw BusError(name: "org.freedesktop.DBus.Error.Failed", message: "the bus gave no name")
        }
        return connection
    }

    /// Who listened where a socket is connected to; nil where that cannot be told.
    private static func owner(of descriptor: Int32) -> uid_t? {
        // `ucred`, which Swift does not see.
        var credentials = (process: pid_t(0), user: uid_t(0), group: gid_t(0))
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0
        return isKnown ? credentials.user : nil
    }

    deinit {
        dbus_connection_close(pointer)
        dbus_connection_unref(pointer)
    }

    /// The socket, to wait for something to read; nil once the connection is lost.
    var descriptor: Int32? {
        var descriptor: Int32 = -1
        guard isOpen, dbus_connection_get_unix_fd(pointer, &descriptor) != 0 else { return nil }
        return descriptor
    }

    /// Whether the bus is still there.
    var isOpen: Bool { dbus_connection_get_is_connected(pointer) != 0 }

    /// Asks the bus itself.
    func ask(_ method: String, _ arguments: [BusMessage.Value] = []) throws(BusError) -> BusMessage {
        try call(method, of: Self.bus.name, at: Self.bus.path, on: Self.bus.name, arguments)
    }

    /// Calls a method and waits for the answer, ``timeout`` at most.
    func call(
        _ method: String, of interface: String, at path: String, on destination: String,
        _ arguments: [BusMessage.Value] = []
    ) throws(BusError) -> BusMessage {
        guard let message = BusMessage(call: method, of: interface, at: path, on: destination),
            message.append(arguments)
        else { throw BusError.noMemory }
        var error = DBusError()
        dbus_error_init(&error)
        guard
            let answer = dbus_connection_send_with_reply_and_block(pointer, message.pointer, Self.timeout, &error)
        else { throw BusError(taking: &error) }
        return BusMessage(owning: answer)
    }

    /// Sends a message without waiting for anything.
    func send(_ message: BusMessage) -> Bool {
        guard dbus_connection_send(pointer, message.pointer, nil) != 0 else { return false }
        dbus_connection_flush(pointer)
        return true
    }

    /// The next message that came in, without waiting for one.
    func next() -> BusMessage? {
        dbus_connection_read_write(pointer, 0)
        return dbus_connection_pop_message(pointer).map { BusMessage(owning: $0) }
    }
}

/// Why the bus did not do what it was asked.
struct BusError: Error, CustomStringConvertible {
    /// The name of the error on the bus.
    let name: String
    /// What was said about it.
    let message: String

    /// Whether the bus failed, or whoever should have answered is not there.
    var isOfTheBus: Bool { name.hasPrefix("org.freedesktop.DBus.Error.") }

    static let noMemory = BusError(name: "org.freedesktop.DBus.Error.NoMemory", message: "no memory is left")

    init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// Takes what libdbus reports, and frees it.
    init(taking error: inout DBusError) {
        name = error.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed"
        message = error.message.map { String(cString: $0) } ?? ""
        dbus_error_free(&error)
    }

    var description: String { "\(name): \(message)" }
}
