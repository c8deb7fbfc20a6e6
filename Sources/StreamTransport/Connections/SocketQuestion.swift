import Glibc

/// Asks the kernel about the one TCP socket that has a connection, in the bytes of `linux/netlink.h` and
/// `linux/inet_diag.h`, which Glibc does not bring along.
struct SocketQuestion {
    /// `NETLINK_SOCK_DIAG`, to open a socket of `AF_NETLINK` with.
    static let netlink: Int32 = 4

    /// `SOCK_DIAG_BY_FAMILY`: the type of the question and of the answer.
    private static let byFamily: UInt16 = 20
    /// `NLMSG_ERROR`.
    private static let error: UInt16 = 2
    /// `NLM_F_REQUEST`.
    private static let request: UInt16 = 1
    /// The bytes of `nlmsghdr`.
    private static let headerLength = 16
    /// The bytes of `inet_diag_req_v2`, and of `inet_diag_msg`.
    private static let (questionLength, answerLength) = (56, 72)

    /// The end of the connection that the socket has, and the other end.
    private let from: ConnectionOwner.End
    private let to: ConnectionOwner.End

    /// Asks about the socket from which a connection goes out.
    init(from: ConnectionOwner.End, to: ConnectionOwner.End) {
        self.from = from
        self.to = to
    }

    /// What is sent to the kernel.
    var bytes: [UInt8] {
        // A kernel without IPv6 knows of connections by IPv4 only if it is asked so. Any other finds by IPv4 also what
        // a socket of IPv6 has.
        let isV4 = from.address.count == 4 && to.address.count == 4
        let ends = isV4 ? [from, to] : [from.mapped, to.mapped]
        var bytes: [UInt8] = []
        bytes += UInt32(Self.headerLength + Self.questionLength).bytes
        bytes += Self.byFamily.bytes + Self.request.bytes
        bytes += UInt32(0).bytes + UInt32(0).bytes
        // Nothing but the socket itself is asked for, in whatever state it is.
        bytes += [UInt8(isV4 ? AF_INET : AF_INET6), UInt8(IPPROTO_TCP), 0, 0] + UInt32.max.bytes
        for end in ends { bytes += end.port.bigEndian.bytes }
        for end in ends { bytes += end.address + Array(repeating: 0, count: 16 - end.address.count) }
        // By any interface, and with any cookie.
        bytes += UInt32(0).bytes + UInt32.max.bytes + UInt32.max.bytes
        return bytes
    }

    /// Reads what the kernel answers, and returns nil if there is no such socket.
    func finding(in answer: ArraySlice<UInt8>) -> ConnectionOwner.Finding? {
        let unreadable = ConnectionOwner.Finding.unknown(reason: "sock_diag: the answer cannot be read")
        let body = answer.dropFirst(Self.headerLength)
        guard let type = answer.number(UInt16.self, at: 4) else { return unreadable }
        if type == Self.error, let code = body.number(Int32.self, at: 0), code < 0, code > Int32.min {
            return code == -ENOENT ? nil : .unknown(reason: "sock_diag: \(String(cString: strerror(-code)))")
        }
        guard type == Self.byFamily, body.count >= Self.answerLength,
            let user = body.number(UInt32.self, at: 64), let inode = body.number(UInt32.self, at: 68)
        else { return unreadable }
        // Where nobody has that end, the kernel names a socket that waits for connections to it.
        guard body.end(portAt: 4, addressAt: 8) == from.mapped, body.end(portAt: 6, addressAt: 24) == to.mapped
        else { return nil }
        // A connection that was closed has no inode, and the kernel names root as its user.
        return inode == 0 ? .nobody : .user(user)
    }
}

extension FixedWidthInteger {
    /// The number as this machine has it in memory.
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension ArraySlice<UInt8> {
    /// The number at a place, as this machine has it in memory; nil if the bytes end before.
    fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number? {
        let bytes = dropFirst(offset).prefix(MemoryLayout<Number>.size)
        guard bytes.count == MemoryLayout<Number>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }

    /// An end of the connection in an `inet_diag_msg`, as one of IPv6; nil if the family is none of IP.
    fileprivate func end(portAt port: Int, addressAt address: Int) -> ConnectionOwner.End? {
        guard let family = first, [UInt8(AF_INET), UInt8(AF_INET6)].contains(family),
            let bigEndian = number(UInt16.self, at: port)
        else { return nil }
        let length = family == UInt8(AF_INET) ? 4 : 16
        return ConnectionOwner.End(
            address: Array(dropFirst(address).prefix(length)), port: UInt16(bigEndian: bigEndian)
        ).mapped
    }
}
