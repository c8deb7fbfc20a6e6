import Testing

@testable import Diagnosis

@Suite("Rules of firewalls")
struct PacketFilterTests {
    private static let tcp = FilteredPacket(transport: .tcp, port: 47_470, interface: "eth0")
    private static let udp = FilteredPacket(transport: .udp, port: 47_474, interface: "eth0")

    /// `a` for accepted, `d` for dropped, `?` for what cannot be said: of TCP, and of UDP.
    private func verdicts(_ filter: PacketFilter) -> String {
        [Self.tcp, Self.udp].map { packet in
            switch filter.verdict(on: packet) {
            case .accept: "a"
            case .drop: "d"
            case .uncertain: "?"
            }
        }.joined()
    }

    private func nft(_ rules: String, policy: String = "accept", more: String = "") -> String {
        verdicts(
            NftablesRuleset.filter(
                """
                table inet filter {
                \(more)
                \tchain input {
                \t\ttype filter hook input priority filter; policy \(policy);
                \(rules.split(separator: "\n").map { "\t\t\($0)" }.joined(separator: "\n"))
                \t}
                \tchain output {
                \t\ttype filter hook output priority filter; policy drop;
                \t}
                }
                """))
    }

    @Test(arguments: [
        ("", "aa"), ("udp dport 47474 counter packets 3 bytes 225 drop", "ad"),
        ("tcp dport { 22, 47470 } drop", "da"), ("tcp dport 47000-48000 reject with tcp reset", "da"),
        ("th dport 47474 drop", "ad"), ("meta l4proto udp drop", "ad"), ("ip protocol { tcp, udp } drop", "dd"),
        ("iifname \"lo\" drop", "aa"), ("iifname != \"lo\" drop", "dd"), ("iif \"eth0\" udp dport 47474 drop", "ad"),
        ("ct state established,related accept\nct state invalid drop", "aa"),
        ("ct state new tcp dport 47470 drop", "da"),
        ("ct state vmap { established : accept, invalid : drop }", "aa"),
        ("ip saddr 10.0.0.0/8 drop", "??"), ("ip saddr 10.0.0.0/8 accept\ndrop", "??"),
        ("udp dport 47474 accept\ndrop", "da"), ("udp dport != 47474 drop", "a?"),
        ("udp dport 47474 log prefix \"not, here; drop \" level info drop comment \"a { b\"", "ad"),
        ("limit rate 5/second accept", "??"),
    ])
    func `are read as nft prints them`(rules: String, expected: String) {
        #expect(nft(rules) == expected)
    }

    @Test
    func `of nftables lead through chains, to the policy at the end`() {
        #expect(nft("", policy: "drop") == "dd")
        #expect(nft("tcp dport 47470 accept", policy: "drop") == "ad")
        let chain = "\tchain moot {\n\t\tudp dport 47474 drop\n\t\treturn\n\t\tdrop\n\t}"
        #expect(nft("jump moot", more: chain) == "ad")
        #expect(nft("jump nowhere", more: chain) == "??")
        // A chain that leads to itself ends.
        #expect(nft("jump moot", more: "\tchain moot {\n\t\tjump moot\n\t}") == "??")
        // Rules for IPv6 alone, and for packets that go on, say nothing of those that come by IPv4.
        let others = "table ip6 filter {\n\tchain input {\n\t\ttype filter hook input priority 0; policy drop;\n\t}\n}"
        #expect(verdicts(NftablesRuleset.filter(others)) == "aa")
    }

    @Test(arguments: [
        ("", "aa"), ("-A INPUT -p udp -m udp --dport 47474 -j DROP", "ad"),
        ("-A INPUT -p tcp -m multiport --dports 22,47000:48000 -j REJECT --reject-with tcp-reset", "da"),
        ("-A INPUT -i lo -j DROP", "aa"), ("-A INPUT ! -i lo -j DROP", "dd"),
        ("-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT", "aa"),
        ("-A INPUT -s 10.0.0.0/8 -j DROP", "??"),
        ("-A INPUT -m addrtype --dst-type MULTICAST -j RETURN\n-A INPUT -j DROP", "??"),
        ("-N moot\n-A INPUT -j moot\n-A moot -p tcp -j DROP\n-A moot -j RETURN", "da"),
        ("-A INPUT -m comment --comment \"no games -j ACCEPT\" -p udp -j DROP", "ad"),
        ("-A INPUT -j LOG --log-prefix \"x\"", "aa"), ("-P INPUT DROP\n-A INPUT -p tcp -j ACCEPT", "ad"),
    ])
    func `are read as iptables prints them`(rules: String, expected: String) {
        #expect(verdicts(IptablesRules.filter("-P INPUT ACCEPT\n-P OUTPUT DROP\n" + rules)) == expected)
    }

    @Test
    func `of firewalld are those of the zone`() throws {
        func zone(_ lines: String) throws -> FirewalldZone {
            try #require(FirewalldZone("public (active)\n  target: default\n  services: ssh dhcpv6-client\n" + lines))
        }
        #expect(try !zone("  ports: \n").lets(.tcp, port: 47_470))
        #expect(try zone("  ports: 47470/tcp\n").lets(.tcp, port: 47_470))
        #expect(try !zone("  ports: 47470/tcp\n").lets(.udp, port: 47_474))
        #expect(try zone("  ports: 47000-48000/udp\n").lets(.udp, port: 47_474))
        #expect(try zone("  services: moot\n").lets(.udp, port: 47_474))
        #expect(FirewalldZone("trusted\n  target: ACCEPT\n")?.lets(.tcp, port: 1) == true)
        #expect(FirewalldZone("Error: COMMAND_FAILED") == nil && FirewalldZone("") == nil)
    }

    @Test
    func `that are cut off or nonsense stop nobody`() {
        let text =
            "table inet filter {\n\tchain input {\n\t\ttype filter hook input priority 0; policy drop;\n\t\ttcp dport { 22, 47470 } accept\n\t}\n}"
        for length in 0...text.count { _ = verdicts(NftablesRuleset.filter(String(text.prefix(length)))) }
        let rules = "-P INPUT DROP\n-A INPUT -m comment --comment \"a b\" -p tcp --dport 1:2 -j ACCEPT"
        for length in 0...rules.count { _ = verdicts(IptablesRules.filter(String(rules.prefix(length)))) }
        #expect(FilterText.ports("70000") == nil && FilterText.ports("9-3") == nil && FilterText.ports("{}") == nil)
    }

    @Test
    func `are not needed for routes`() {
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
