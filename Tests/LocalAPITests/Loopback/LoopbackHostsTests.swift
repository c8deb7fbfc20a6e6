import Testing

@testable import LocalAPIServer

@Suite("The hosts of the API on loopback")
struct LoopbackHostsTests {
    private static let page = "0123456789abcdef0123456789abcdef.localhost"
    private let hosts = LoopbackHosts(page: page, port: 4_711, others: ["Desk.example:8080"])

    @Test(arguments: [page, page + ":4711", page.uppercased() + ":4711", page + ":8080"])
    func `are for browsers the name of this run, with the port by which they reach it`(host: String) {
        #expect(hosts.kind(of: host) == .page)
        #expect(hosts.isOwn(origin: "http://" + host, at: host))
    }

    @Test(arguments: ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711", "[::1]:4711", "desk.example:8080"])
    func `are for programs the names of loopback, and those that were allowed, where no page is`(host: String) {
        #expect(hosts.kind(of: host) == .programs)
        #expect(!hosts.isOwn(origin: "http://" + host, at: host))
    }

    @Test(arguments: [
        "", "127.0.0.1", "localhost", "localhost:80", "localhost:47110", "evil.example", "evil.example:4711",
        "localhost.evil.example:4711", "127.0.0.1.:4711", "127.0.0.2:4711", "0.0.0.0:4711", "[::]:4711",
        "localhost:4711 ", "user@localhost:4711", "localhost:4711/", "desk.example", "desk.example:4711",
        page + ".evil.example", page + ".:4711", page + ":",
        page + ":4711/", page + ":471111", "a." + page, ".localhost:4711",
    ])
    func `are no others`(host: String) {
        #expect(hosts.kind(of: host) == nil)
        #expect(!hosts.isOwn(origin: "http://" + host, at: host))
    }

    @Test func `are those of other runs`() {
        let former = "f" + Self.page.dropFirst() + ":4711"
        #expect(hosts.kind(of: former) == .formerPage)
        #expect(!hosts.isOwn(origin: "http://" + former, at: former))
    }

    @Test func `have no port where clients write none`() {
        let web = LoopbackHosts(page: Self.page, port: 80)
        #expect(web.kind(of: "localhost") == .programs)
        #expect(web.kind(of: "localhost:4711") == nil)
    }

    @Test(arguments: [
        "null", "https://\(page):4711", "http://\(page)", "http://\(page):3000", "http://127.0.0.1:4711",
        "http://evil.example", "\(page):4711", "",
    ])
    func `have no page of another origin`(origin: String) {
        #expect(!hosts.isOwn(origin: origin, at: Self.page + ":4711"))
    }

    @Test func `are fetched from by their own pages and by the user`() {
        #expect(["same-origin", "none"].allSatisfy(LoopbackHosts.mayFetch))
        #expect(!["same-site", "cross-site", "", "Same-Origin, none"].contains(where: LoopbackHosts.mayFetch))
    }
}
