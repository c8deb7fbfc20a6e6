import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Statistics of a group")
struct GroupStatisticsTests {
    @Test
    func `everybody sees them, until an admin says that only admins do`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let (alice, bob, carol) = (circle.user("Alice"), circle.user("Bob"), circle.user("Carol"))
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let everybody = ["Alice", "Bob", "Carol", "Dave"].map(circle.user)
        #expect(everybody.allSatisfy(circle.group.showsStatistics))

        try circle.decide("Bob") { .set(under: $0, field: Group.statisticsField, value: Group.statisticsForAdmins) }
        #expect(everybody.filter(circle.group.showsStatistics) == [alice, bob])

        try circle.decide("Alice") { .set(under: $0, field: Group.statisticsField, value: "nonsense") }
        #expect(everybody.allSatisfy(circle.group.showsStatistics))
    }

    @Test
    func `whoever acts as admin is one`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        try circle.decide("Alice") { .set(under: $0, field: Group.statisticsField, value: Group.statisticsForAdmins) }
        try circle.write(by: "Alice", .leave(pins: []))
        let acting = try #require(circle.group.actingAdmin)
        #expect(["Alice", "Bob", "Carol"].map(circle.user).filter(circle.group.showsStatistics) == [acting])
    }

    @Test
    func `how many members there were is told step by step`() throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        #expect(circle.group.growth.map(\.members) == [1, 4])
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: []) }
        try circle.decide("Alice") { .set(under: $0, field: Group.nameField, value: "Ship") }
        try circle.write(by: "Dave", .leave(pins: []))
        let credentials = circle.person("Carol").credentials
        try circle.decide("Alice") { .add(under: $0, targets: [credentials]) }
        #expect(circle.group.growth.map(\.members) == [1, 4, 3, 2, 3])
        let times = circle.group.growth.map(\.since)
        #expect(times == times.sorted())
        #expect(circle.group.growth.last?.members == circle.group.members.count)
    }

    @Test
    func `a removal that is void never made the group smaller`() throws {
        var alice = try Circle("Alice", "Bob", "Carol", "Dave")
        let (bob, carol) = (alice.user("Bob"), alice.user("Carol"))
        try alice.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        var others = alice
        try others.decide("Bob") { .remove(under: $0, target: carol, pins: []) }
        #expect(others.group.growth.map(\.members) == [1, 4, 3])
        try alice.decide("Alice") { .remove(under: $0, target: bob, pins: []) }
        try others.meet(alice)
        #expect(others.group.growth.map(\.members) == [1, 4, 3])
        #expect(others.group.isMember(carol) && !others.group.isMember(bob))
    }
}
