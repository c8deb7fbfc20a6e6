import Foundation
import Glibc
import HTTPTypes
import LocalAPIModel
import NIOCore
import Testing

@testable import LocalAPIServer
@testable import StreamTransport

private typealias SocketAddress = NIOCore.SocketAddress

@Suite("Whose connection it is")
struct ConnectionOwnerTests {
    private static let theirs = ConnectionOwner.End(address: [127, 0, 0, 1], port: 0xB1C2)
    private static let ours = ConnectionOwner.End(address: [127, 0, 0, 1], port: 8_080)

    private static let question = SocketQuestion(from: theirs, to: ours)

    /// What the kernel answers of a connection, and before it the header that the kernel writes.
    private static func answer(
        _ from: ConnectionOwner.End, _ to: ConnectionOwner.End, type: UInt16 = 20, user: UInt32 = 1_000,
        inode: UInt32 = 34_567
    ) -> [UInt8] {
        let isV4 = from.address.count == 4
        var body = [UInt8(isV4 ? AF_INET : AF_INET6), 1, 0, 0]
        for end in [from, to] { body += bytes(end.port.bigEndian) }
        for end in [from, to] { body += end.address + Array(repeating: 0, count: isV4 ? 12 : 0) }
        body += Array(repeating: 0, count: 24) + bytes(user) + bytes(inode)
        return header(type, length: body.count) + body
    }

    private static func failure(_ code: Int32) -> [UInt8] {
        header(2, length: 20) + bytes(-code) + Array(repeating: 0, count: 16)
    }

    private static func header(_ type: UInt16, length: Int) -> [UInt8] {
        bytes(UInt32(16 + length)) + bytes(type) + Array(repeating: 0, count: 10)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    @Test func `ends are those of the addresses`() throws {
        #expect(Self.ours.mapped.mapped == Self.ours.mapped)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 8_080)
        #expect(ConnectionOwner.End(address) == Self.ours)
        let mapped = try SocketAddress(ipAddress: "::ffff:127.0.0.1", port: 8_080)
        #expect(ConnectionOwner.End(mapped) == Self.ours.mapped)
        #expect(try ConnectionOwner.End(SocketAddress(unixDomainSocketPath: "/x")) == nil)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `the kernel says whose a connection is, and that nobody has it any more`(address: String) throws {
        guard let listener = Listener(at: address) else { return }
        let client = try #require(listener.connect())
        let accepted = accept(listener.descriptor, nil, nil)
        defer { close(accepted) }
        let (theirs, ours) = (try #require(Listener.end(of: client)), try #require(Listener.end(of: accepted)))
        #expect(ConnectionOwner.find(theirs, connectedTo: ours) == .user(geteuid()))
        // A socket of IPv6 reaches 127.0.0.1, too.
        #expect(ConnectionOwner.find(theirs.mapped, connectedTo: ours.mapped) == .user(geteuid()))
        // Half closed is not closed: whoever has said all they have to say waits for the answer.
        shutdown(client, Int32(SHUT_WR))
        #expect(ConnectionOwner.find(theirs, connectedTo: ours) == .user(geteuid()))
        close(client)
        #expect(ConnectionOwner.find(theirs, connectedTo: ours) == .nobody)
    }

    @Test func `a socket that waits for connections has none of them`() throws {
        let listener = try #require(Listener(at: "127.0.0.1"))
        let theirs = try #require(Listener.end(of: listener.descriptor))
        // The kernel answers with the listening socket, which is this user's.
        guard case .unknown = ConnectionOwner.find(theirs, connectedTo: Self.ours) else {
            Issue.record("it was taken for a connection")
            return
        }
    }

    @Test func `the answer says who it is, whatever the socket's own family`() {
        for (from, to) in [(Self.theirs, Self.ours), (Self.theirs.mapped, Self.ours.mapped)] {
            #expect(Self.question.finding(in: Self.answer(from, to)[...]) == .user(1_000))
            #expect(
                SocketQuestion(from: from, to: to).finding(in: Self.answer(Self.theirs, Self.ours)[...]) == .user(1_000)
            )
        }
    }

    @Test func `the answer of another connection says nothing`() {
        let other = ConnectionOwner.End(address: Self.theirs.address, port: Self.theirs.port + 1)
        let none = ConnectionOwner.End(address: [0, 0, 0, 0], port: 0)
        for (from, to) in [(other, Self.ours), (Self.ours, Self.theirs), (Self.theirs, none), (none, Self.ours)] {
            #expect(Self.question.finding(in: Self.answer(from, to)[...]) == nil)
        }
    }

    @Test func `what no process has is nobody's, though it is said to be root's`() {
        #expect(Self.question.finding(in: Self.answer(Self.theirs, Self.ours, user: 0, inode: 0)[...]) == .nobody)
    }

    @Test func `an answer that is an error, cut, or something else names nobody`() {
        #expect(Self.question.finding(in: Self.failure(ENOENT)[...]) == nil)
        for code in [EPERM, EINVAL, 0, -1, Int32.max] {
            guard case .unknown = Self.question.finding(in: Self.failure(code)[...]) else {
                Issue.record("\(code) was taken for an answer")
                continue
            }
        }
        let answer = Self.answer(Self.theirs, Self.ours)
        let others = answer.indices.map { answer[..<$0] } + [Self.answer(Self.theirs, Self.ours, type: 3)[...]]
        for other in others {
            guard case .unknown = Self.question.finding(in: other) else {
                Issue.record("\(other.count) bytes were taken for an answer")
                continue
            }
        }
    }

    @Test func `root and the user are answered, and nobody else`() {
        #expect(ConnectionOwner.admits(.user(1_000), self: 1_000))
        #expect(ConnectionOwner.admits(.user(0), self: 1_000))
        #expect(!ConnectionOwner.admits(.user(1_001), self: 1_000))
        #expect(!ConnectionOwner.admits(.user(1_000), self: 0), "not even if the node is root's")
        #expect(!ConnectionOwner.admits(.nobody, self: 0))
        #expect(!ConnectionOwner.admits(.unknown(reason: ""), self: 0))
    }

    @Test func `a refusal says what can be done`() {
        let refusal = RequestRefusal.ownerUnknown("AF_NETLINK: Permission denied")
        #expect(refusal.status == .forbidden)
        #expect(refusal.detail.code == "permission_denied")
        #expect(refusal.detail.hint != nil)
        #expect(refusal.detail.message.contains("AF_NETLINK: Permission denied"))
    }
}

/// A socket that waits for connections at an address of loopback.
private final class Listener {
    let descriptor: Int32
    private let address: SocketAddress

    /// Waits at any port that is free; nil where the host does not have the address.
    init?(at address: String) {
        guard let anyPort = try? SocketAddress(ipAddress: address, port: 0) else { return nil }
        let descriptor = socket(address.contains(":") ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let bound = anyPort.withSockAddr { bind(descriptor, $0, socklen_t($1)) }
        guard bound == 0, listen(descriptor, 1) == 0, let end = Self.end(of: descriptor),
            let found = try? SocketAddress(ipAddress: address, port: Int(end.port))
        else {
            close(descriptor)
            return nil
        }
        (self.descriptor, self.address) = (descriptor, found)
    }

    deinit { close(descriptor) }

    /// The socket of somebody who connected.
    func connect() -> Int32? {
        let client = socket(address.protocol == .inet6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        return address.withSockAddr { Glibc.connect(client, $0, socklen_t($1)) } == 0 ? client : nil
    }

    /// The socket's own end.
    static func end(of descriptor: Int32) -> ConnectionOwner.End? {
        var storage = sockaddr_storage()
        return withUnsafeMutableBytes(of: &storage) { bytes in
            var length = socklen_t(bytes.count)
            let named = bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
            guard named == 0 else { return nil }
            let isV6 = bytes.loadUnaligned(as: sa_family_t.self) == sa_family_t(AF_INET6)
            let port = UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            return ConnectionOwner.End(address: Array(isV6 ? bytes[8..<24] : bytes[4..<8]), port: port)
        }
    }
}
