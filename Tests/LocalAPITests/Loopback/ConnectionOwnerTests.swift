import Foundation
import HTTPTypes
import LocalAPIModel
import NIOCore
import Testing

@testable import LocalAPIServer

@Suite("Whose connection it is")
struct ConnectionOwnerTests {
    private static let theirs = ConnectionOwner.End(address: [127, 0, 0, 1], port: 0xB1C2)
    private static let ours = ConnectionOwner.End(address: [127, 0, 0, 1], port: 8_080)

    private static let head =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

    /// A row as Linux writes it.
    private static func row(
        _ local: String, _ remote: String, user: String = "1000", inode: String = "34567", state: String = "01"
    ) -> String {
        "   1: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000  \(user)        0 \(inode) 1 0 20 4 30\n"
    }

    private static let row = row(theirs.text, ours.text)
    /// This side's own row of the same connection.
    private static let ownRow = row(ours.text, theirs.text, user: "33")

    private func user(in text: String, pieces: Int = 1_000) -> UInt32? {
        var table = ConnectionOwner.Table(from: Self.theirs, to: Self.ours)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            if let user = table.take(bytes[start..<min(start + pieces, bytes.count)]) { return user }
        }
        return table.take([])
    }

    @Test func `ends are written as the kernel writes them`() throws {
        #expect(Self.ours.text == (1.littleEndian == 1 ? "0100007F:1F90" : "7F000001:1F90"))
        #expect(Self.ours.mapped.text.count == 32 + 5)
        #expect(Self.ours.mapped.mapped == Self.ours.mapped)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 8_080)
        #expect(ConnectionOwner.End(address) == Self.ours)
        let mapped = try SocketAddress(ipAddress: "::ffff:127.0.0.1", port: 8_080)
        #expect(ConnectionOwner.End(mapped) == Self.ours.mapped)
        #expect(try ConnectionOwner.End(SocketAddress(unixDomainSocketPath: "/x")) == nil)
    }

    @Test(arguments: [1, 7, 4_096])
    func `the row of the other side says who it is, however it comes`(pieces: Int) {
        let other = Self.row("0100007F:0001", Self.ours.text, user: "7")
        #expect(user(in: Self.head + Self.ownRow + other + Self.row + other, pieces: pieces) == 1_000)
        #expect(user(in: Self.head + Self.ownRow + other, pieces: pieces) == nil)
    }

    @Test func `what no process has is nobody's, though it is said to be root's`() {
        for state in ["06", "05", "01"] {
            let closed = Self.row(Self.theirs.text, Self.ours.text, user: "0", inode: "0", state: state)
            #expect(user(in: Self.head + closed) == nil)
        }
        // Half closed is not closed: whoever has said all they have to say waits for the answer.
        #expect(user(in: Self.row(Self.theirs.text, Self.ours.text, state: "05")) == 1_000)
    }

    @Test(arguments: ["-1", "99999999999999999999", "x", "٣", "1000x", "0x10"])
    func `what is no number names nobody`(text: String) {
        #expect(user(in: Self.head + Self.row(Self.theirs.text, Self.ours.text, user: text)) == nil)
        #expect(user(in: Self.head + Self.row(Self.theirs.text, Self.ours.text, inode: text)) == nil)
    }

    @Test func `a table that is cut, empty, endless or none names nobody`() {
        for length in 0..<Self.row.utf8.count { #expect(user(in: String(Self.row.prefix(length))) == nil) }
        #expect(user(in: "\n\n \n\0\n" + Self.head) == nil)
        #expect(user(in: String(repeating: "x", count: 100_000) + "\n" + Self.row) == 1_000)
        #expect(user(in: String(repeating: " ", count: 100_000) + Self.row) == nil, "a row is no longer than rows are")
        #expect(user(in: String(repeating: "a ", count: 100_000)) == nil)
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
        for refusal in [RequestRefusal.foreignProcess, .ownerUnknown("/proc/net/tcp: No such file")] {
            #expect(refusal.status == .forbidden)
            #expect(refusal.detail.code == "permission_denied")
            #expect(refusal.detail.hint != nil)
        }
        #expect(RequestRefusal.ownerUnknown("/proc/net/tcp: No such file").detail.message.contains("No such file"))
    }
}
