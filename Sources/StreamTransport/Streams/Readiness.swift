import CEpoll
import Glibc

/// A descriptor that is readable exactly while a socket is ready, for Dispatch to watch in place of the socket.
///
/// Dispatch on Linux must not see a connection hang up. When it does, it forgets the source on the source's own queue
/// while its manager thread still uses what it knows of it: the manager may then read freed memory and silently stop
/// watching some *other* descriptor (`_dispatch_event_merge_hangup` in libdispatch's `event_epoll.c`). On a busy
/// machine with thousands of connections this was a dial that never ended. A read and a write source on one descriptor
/// do not get along there either.
///
/// An epoll instance is itself a descriptor that can be watched, and it never hangs up: a hang-up inside is one more
/// kind of being ready. So each direction of a connection has an instance with the socket in it. The kernel answers
/// from the socket's state of the moment; nobody needs to call `epoll_wait`.
enum Readiness {
    /// Opens a descriptor that is readable while `socket` has something to read, has ended, or has failed.
    static func toRead(_ socket: Descriptor) throws(TransportError) -> Descriptor {
        try watch(socket, for: EPOLLIN)
    }

    /// Opens a descriptor that is readable while `socket` has room to write, or has failed.
    static func toWrite(_ socket: Descriptor) throws(TransportError) -> Descriptor {
        try watch(socket, for: EPOLLOUT)
    }

    private static func watch(_ socket: Descriptor, for events: EPOLL_EVENTS) throws(TransportError) -> Descriptor {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw TransportError(errno: errno, of: "epoll_create1") }
        let instance = Descriptor(owning: number)
        var event = epoll_event()
        event.events = events.rawValue
        guard epoll_ctl(number, EPOLL_CTL_ADD, socket.number, &event) == 0 else {
            throw TransportError(errno: errno, of: "epoll_ctl")
        }
        return instance
    }
}
