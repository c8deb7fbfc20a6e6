import Glibc

/// Why bytes could not be moved, or no longer can.
public enum TransportError: Error, Hashable, Sendable {
    /// Another program listens on this address.
    case portInUse(SocketAddress)
    /// No interface of this host has this address.
    case addressUnavailable(SocketAddress)
    /// The system does not let this user do it, for example listen on a port below 1024.
    case permissionDenied(String)
    /// The host answered that nobody listens there.
    case refused(SocketAddress)
    /// No route leads there, or the network is down.
    case unreachable(SocketAddress)
    /// Nothing came in time.
    case timedOut
    /// The peer, or the system on its behalf, broke the connection off.
    case reset
    /// The peer takes bytes more slowly than they are given; `limit` bytes may wait.
    case overflow(limit: Int)
    /// A message is longer than a peer takes.
    case messageTooLong(limit: Int)
    /// The connection was closed here before.
    case closed
    /// No address is known for the name.
    case nameNotFound(String)
    /// The text is no `host:port`.
    case malformedAddress(String)
    /// The process or the system has as many files open as it may.
    case outOfDescriptors
    /// A system call failed in a way that has no case of its own; `number` is its `errno`.
    case failed(call: String, number: Int32)

    /// The stable code of the error.
    public var code: String {
        switch self {
        case .portInUse: "port_in_use"
        case .addressUnavailable: "address_unavailable"
        case .permissionDenied: "permission_denied"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .timedOut: "timed_out"
        case .reset: "reset"
        case .overflow: "overflow"
        case .messageTooLong: "message_too_long"
        case .closed: "closed"
        case .nameNotFound: "name_not_found"
        case .malformedAddress: "malformed_address"
        case .outOfDescriptors: "out_of_descriptors"
        case .failed: "failed"
        }
    }

    /// What a person can do about it, or nil where there is nothing in particular.
    public var remedy: String? {
        switch self {
        case .portInUse(let address):
            "Stop the program that listens on port \(address.port), or listen on another port; port 0 takes any free one."
        case .addressUnavailable(let address):
            "Listen on an address of this host instead of \(address.host), or on 0.0.0.0 for all of them."
        case .permissionDenied:
            "Use a port from 1024 on, or run with the permission to do this."
        case .refused:
            "Check that the other node is running and that the port is the one it listens on."
        case .unreachable:
            "Check the network connection and the address."
        case .nameNotFound:
            "Check the spelling of the name, or give the numeric address."
        case .malformedAddress:
            "Write host:port, for example 192.168.1.5:47470, or [fe80::1%eth0]:47470."
        case .outOfDescriptors:
            "Raise the limit of open files (ulimit -n)."
        case .timedOut, .reset, .overflow, .messageTooLong, .closed, .failed: nil
        }
    }
}

extension TransportError: CustomStringConvertible {
    /// A sentence that says what happened.
    public var description: String {
        switch self {
        case .portInUse(let address): "Another program already listens on \(address)."
        case .addressUnavailable(let address): "No interface of this host has the address \(address.host)."
        case .permissionDenied(let call): "The system does not permit it (\(call))."
        case .refused(let address): "Nobody listens on \(address)."
        case .unreachable(let address): "No route leads to \(address)."
        case .timedOut: "No answer came in time."
        case .reset: "The connection was broken off."
        case .overflow(let limit): "More than \(limit) bytes wait for a slow peer."
        case .messageTooLong(let limit): "A message has more than \(limit) bytes."
        case .closed: "The connection is closed."
        case .nameNotFound(let name): "No address is known for \(name)."
        case .malformedAddress(let text): "\(text.debugDescription) is no host:port."
        case .outOfDescriptors: "Too many files are open."
        case .failed(let call, let number): "\(call) failed: \(String(cString: strerror(number)))."
        }
    }
}

extension TransportError {
    /// Translates the `errno` of a call that concerned an address.
    init(errno number: Int32, of call: String, on address: SocketAddress) {
        switch number {
        case EADDRINUSE: self = .portInUse(address)
        case EADDRNOTAVAIL: self = .addressUnavailable(address)
        case ECONNREFUSED: self = .refused(address)
        case EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN, ENONET: self = .unreachable(address)
        default: self.init(errno: number, of: call)
        }
    }

    /// Translates the `errno` of a call on an open socket.
    init(errno number: Int32, of call: String) {
        switch number {
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN: self = .reset
        case ETIMEDOUT: self = .timedOut
        case EACCES, EPERM: self = .permissionDenied(call)
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: self = .outOfDescriptors
        default: self = .failed(call: call, number: number)
        }
    }
}
