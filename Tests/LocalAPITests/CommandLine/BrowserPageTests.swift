import Foundation
import Testing

@testable import moot

@Suite("The page that leads a browser to the node")
struct BrowserPageTests {
    private let folder = FileManager.default.temporaryDirectory.path

    @Test func `is for the user alone, names no secret, and goes once it was read`() async throws {
        let address = "http://127.0.0.1:47471/open/0123456789abcdef"
        let page = try #require(BrowserPage(leadingTo: address, in: folder))
        #expect(!page.path.contains("0123456789abcdef"))
        let attributes = try FileManager.default.attributesOfItem(atPath: page.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        async let waiting: Void = page.waitUntilRead()
        let text = try String(contentsOfFile: page.path, encoding: .utf8)
        #expect(text.contains("content=\"0; url=\(address)\""))
        await waiting
        page.remove()
        #expect(!FileManager.default.fileExists(atPath: page.path))
    }

    @Test func `is none where nothing can be written`() {
        #expect(BrowserPage(leadingTo: "http://127.0.0.1:1/open/0", in: folder + "/nowhere") == nil)
    }
}
