import Testing

@testable import NodeCore

@Suite("What a user is told when something fails")
struct NodeErrorTests {
    @Test(arguments: [NodeError.Code.diskFull, .storageFailed])
    func `a group that cannot be stored was not made, and the reason is next to it`(code: NodeError.Code) {
        let error = NodeError(code, "The disk is full", hint: "Free some space.").asFailedCreation
        #expect(error.code == code && error.message == "Unable to create group. Please try again.")
        #expect(error.hint == "The disk is full. Free some space.")
        #expect(NodeError(code, "It failed.").asFailedCreation.hint == "It failed.")
    }

    @Test func `another refusal of a group stays as it is`() {
        let error = NodeError(.tooManyParticipants, "A group has at most 256 members", hint: "Fewer.")
        #expect(error.asFailedCreation == error)
    }

    @Test func `who reaches nobody is told the reason next to what to do`() {
        let error = NodeError.unreachablePeers("Nobody answers at 192.0.2.7:1", hint: "It is tried again.")
        #expect(error.code == .networkError && error.message == "Network error. Please try again")
        #expect(error.hint == "Nobody answers at 192.0.2.7:1. It is tried again.")
    }
}
