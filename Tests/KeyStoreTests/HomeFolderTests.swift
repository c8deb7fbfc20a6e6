import Foundation
import NodeCore
import Testing

@testable import KeyStore

@Suite("The folder of a home")
struct HomeFolderTests {
    @Test func `is made with all that is above it, for its owner alone`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/a/b/home"
        try Home.makeFolder(path)
        try Home.makeFolder(path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `that is no folder, or below none, is refused`() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: scratch.path + "/file"))
        for path in ["/file/home", "/proc/home"] {
            let error = #expect(throws: NodeError.self) {
                try Home.makeFolder(path.hasPrefix("/proc") ? path : scratch.path + path)
            }
            #expect(error?.code == .permissionDenied, "\(path)")
        }
    }

    @Test(arguments: [
        (EROFS, NodeError.Code.permissionDenied, "read-only"), (ENOSPC, .diskFull, "No space"),
        (EPERM, .permissionDenied, "somebody else"), (ENOTDIR, .permissionDenied, "Not a directory"),
    ])
    func `is refused with the reason`(reason: Int32, code: NodeError.Code, word: String) {
        let error = Home.refusal(of: "/home", because: reason, otherwise: "It belongs to somebody else")
        #expect(error.code == code && error.message.contains(word) && error.hint != nil, "\(error.message)")
    }
}
