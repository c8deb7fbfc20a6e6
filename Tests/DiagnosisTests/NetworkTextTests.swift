import Testing

@testable import Diagnosis

@Suite("What a host says of its networks")
struct NetworkTextTests {
    @Test
    func `a zone of firewalld lets in what it lists`() throws {
        func zone(_ lines: String) throws -> FirewalldZone {
            try #require(FirewalldZone("public (active)\n  target: default\n  services: ssh dhcpv6-client\n" + lines))
        }
        #expect(try !zone("  ports: \n").lets(.tcp, port: 47_470))
        #expect(try zone("  ports: 47470/tcp\n").lets(.tcp, port: 47_470))
        #expect(try !zone("  ports: 47470/tcp\n").lets(.udp, port: 47_474))
        #expect(try zone("  ports: 47000-48000/udp\n").lets(.udp, port: 47_474))
        #expect(try zone("  services: moot\n").lets(.udp, port: 47_474))
        for ports in ["70000", "9-3", "-", "x-47470", "1-2-47470"] {
            #expect(try !zone("  ports: \(ports)/tcp\n").lets(.tcp, port: 5))
        }
        #expect(FirewalldZone("trusted\n  target: ACCEPT\n")?.lets(.tcp, port: 1) == true)
        #expect(FirewalldZone("Error: COMMAND_FAILED") == nil && FirewalldZone("") == nil)
    }

    @Test
    func `routes are those that are up`() {
        let table = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            eth0\t00000000\t01004D0A\t0003\t0\t0\t0\t00000000\t0\t0\t0
            eth0\t00004D0A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
            tun0\t000000EF\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0
            eth1\t00000A0A\t00000000\t0000\t0\t0\t0\t0000FFFF\t0\t0\t0
            broken
            """
        let routes = RouteTable.routes(in: table)
        #expect(
            routes.map { "\($0.destination) \($0.interface)" } == [
                "0.0.0.0/0 eth0", "10.77.0.0/24 eth0", "239.0.0.0/8 tun0",
            ])
    }
}
