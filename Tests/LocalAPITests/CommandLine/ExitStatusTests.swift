import LocalAPIClient
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import moot

@Suite("Exit statuses")
struct ExitStatusTests {
    @Test func `of a command without a node is 69`() {
        let error = LocalClientError.notRunning(socketPath: "/x")
        #expect(ExitStatus.of(code: Failure.detail(of: error).code) == .notRunning)
        #expect(ExitStatus.notRunning.rawValue == 69)
        #expect(error.detail.hint == "Start it with: moot up")
    }

    @Test func `tell what a script can do about it`() {
        let expected: [(NodeError.Code, Int32)] = [
            (.networkError, 75), (.diskFull, 75), (.permissionDenied, 77), (.badConfiguration, 78),
            (.damagedHome, 78), (.insufficientPermissions, 1), (.conversationNotFound, 1), (.homeInUse, 1),
        ]
        for (code, status) in expected { #expect(ExitStatus.of(code: code.rawValue).rawValue == status) }
    }

    @Test(arguments: NodeError.Code.allCases)
    func `are never success for an error`(code: NodeError.Code) {
        #expect(ExitStatus.of(code: code.rawValue) != .done)
    }

    @Test func `are 1 for a code that a newer node invented`() {
        #expect(ExitStatus.of(code: "from_the_future") == .refused)
    }
}
