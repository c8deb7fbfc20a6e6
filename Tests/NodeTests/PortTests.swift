import Foundation
import LocalAPIModel
import NodeCore
import Testing

@testable import Node

@Suite("The port of a node")
struct PortTests {
    @Test func `who has a port that is taken is named, and no other port is taken instead`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let address = try #require(await alice.status().listening.first)
        let port = try #require(address.split(separator: ":").last)
        let error = await #expect(throws: NodeError.self) {
            try await Node.start("Bob", in: scratch, listen: address)
        }
        #expect(error?.code == .portInUse)
        let process = ProcessInfo.processInfo.processIdentifier
        #expect(error?.message.contains("(process \(process)) already listens on port \(port)") == true)
        await alice.stop()
    }

    @Test func `only sockets that listen on it hold a port`() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:B96E 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0
               1: 0100007F:B96E 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 100 0
               2: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0
               3: garbage
            """
        #expect(PortHolder.sockets(listeningOn: 47_470, in: table) == ["4711"])
        #expect(PortHolder.sockets(listeningOn: 80, in: table) == ["4713"])
        #expect(PortHolder.sockets(listeningOn: 1, in: table).isEmpty)
        #expect(PortHolder.find(of: 1) == nil)
    }
}
