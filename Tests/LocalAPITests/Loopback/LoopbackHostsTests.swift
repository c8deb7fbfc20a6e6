import Testing

@testable import LocalAPIServer

@Suite("The hosts of the API on loopback")
struct LoopbackHostsTests {
    private let hosts = LoopbackHosts(port: 4_711, others: ["Desk.example:8080"])

    @Test(arguments: ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711", "[::1]:4711", "desk.example:8080"])
    func `are the names of loopback with the port, and those that were allowed`(host: String) {
        #expect(hosts.contains(host))
        #expect(hosts.isOwn(origin: "http://" + host, at: host))
    }

    @Test(arguments: [
        "", "127.0.0.1", "localhost", "localhost:80", "localhost:47110", "evil.example", "evil.example:4711",
        "localhost.evil.example:4711", "127.0.0.1.:4711", "127.0.0.2:4711", "0.0.0.0:4711", "[::]:4711",
        "localhost:4711 ", "user@localhost:4711", "localhost:4711/", "desk.example", "desk.example:4711",
    ])
    func `are no others`(host: String) {
        #expect(!hosts.contains(host))
        #expect(!hosts.isOwn(origin: "http://" + host, at: host))
    }

    @Test func `have no port where browsers write none`() {
        let web = LoopbackHosts(port: 80)
        #expect(web.contains("localhost"))
        #expect(!web.contains("localhost:4711"))
    }

    @Test(arguments: [
        "null", "https://localhost:4711", "http://localhost", "http://localhost:3000", "http://127.0.0.1:4711",
        "http://evil.example", "localhost:4711", "",
    ])
    func `have no page of another origin`(origin: String) {
        #expect(!hosts.isOwn(origin: origin, at: "localhost:4711"))
    }

    @Test func `are fetched from by their own pages and by the user`() {
        #expect(["same-origin", "none"].allSatisfy(LoopbackHosts.mayFetch))
        #expect(!["same-site", "cross-site", "", "Same-Origin, none"].contains(where: LoopbackHosts.mayFetch))
    }
}
