import Node
import Testing

@Suite("Places that a user names")
struct NamedPlacesTests {
    @Test func `are silent where they are there`() async {
        let places = NamedPlaces(peers: ["127.0.0.1:1", "[::1]:1", "localhost:1"], interfaces: ["lo"])
        #expect(await places.warnings() == [])
    }

    @Test func `are named where they are not`() async throws {
        let places = NamedPlaces(peers: ["nohost.invalid:47470", "127.0.0.1:1"], interfaces: ["lo", "moot-absent"])
        let warnings = await places.warnings()
        try #require(warnings.count == 2, "\(warnings)")
        #expect(warnings[0].contains("moot-absent") && warnings[1].contains("nohost.invalid:47470"), "\(warnings)")
    }
}
