import LocalAPIModel
import LocalAPIServer
import PhotoFixtures
import Testing

@testable import LocalAPIClient

@Suite("Files for a page in a browser")
struct BlobRouteTests {
    /// Tells a story of Alice's browser, which was let in.
    private func tells(_ story: (Alice, BrowserSession) async throws -> Void) async throws {
        try await Alice.tells(knowing: [], web: LocalServer.Web(port: 0)) { alice in
            try await story(alice, BrowserSession(of: alice))
        }
    }

    /// Three chunks of a file, the last of them short; each byte tells where it is.
    private static let film = String(
        decoding: (0..<150_000).map { UInt8(ascii: "a") + UInt8($0 / 7 % 26) }, as: UTF8.self)

    private func film(at alice: Alice) async throws -> FileDescription {
        try await alice.client.upload(Array(Self.film.utf8), named: "a.mp4", mediaType: "video/mp4")
    }

    private func part(_ range: Range<Int>) -> String {
        String(Self.film.dropFirst(range.lowerBound).prefix(range.count))
    }

    @Test(arguments: [
        ("bytes=100-199", 100..<200), ("bytes=-10", 149_990..<150_000), ("bytes=131000-", 131_000..<150_000),
        ("bytes=65535-65536", 65_535..<65_537), ("bytes=0-149999", 0..<150_000),
    ])
    func `a part of a file is answered alone, so that a film can be sought in`(field: String, bytes: Range<Int>)
        async throws
    {
        try await tells { alice, browser in
            let file = try await film(at: alice)
            let answer = try await browser.ask("/api/v1/blobs/\(file.id)", [("Range", field)])
            #expect(answer.status == 206)
            #expect(answer.fields["content-range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/150000")
            #expect(answer.fields["content-length"] == "\(bytes.count)")
            #expect(answer.fields["accept-ranges"] == "bytes")
            #expect(answer.body == part(bytes))
        }
    }

    @Test func `a range behind the end is refused, and one of another file gets all of this one`() async throws {
        try await tells { alice, browser in
            let path = "/api/v1/blobs/\(try await film(at: alice).id)"
            let refused = try await browser.ask(path, [("Range", "bytes=150000-")])
            #expect(refused.status == 416 && refused.code == "range_not_satisfiable")
            #expect(refused.fields["content-range"] == "bytes */150000")
            let other = try await browser.ask(path, [("Range", "bytes=0-1"), ("If-Range", "\"another\"")])
            #expect(other.status == 200 && other.body == Self.film)
            let tag = try #require(other.fields["etag"])
            let same = try await browser.ask(path, [("Range", "bytes=0-1"), ("If-Range", tag)])
            #expect(same.status == 206 && same.body == part(0..<2))
            let several = try await browser.ask(path, [("Range", "bytes=0-1,5-6")])
            #expect(several.status == 200 && several.body == Self.film)
        }
    }

    @Test func `a file that the browser has is not sent again`() async throws {
        try await tells { alice, browser in
            let file = try await film(at: alice)
            let answer = try await browser.ask("/api/v1/blobs/\(file.id)")
            let tag = try #require(answer.fields["etag"])
            #expect(tag == "\"\(file.id)\"")
            #expect(answer.fields["cache-control"] == "private, max-age=31536000, immutable")
            let again = try await browser.ask("/api/v1/blobs/\(file.id)", [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.fields["etag"] == tag)
            #expect(try await browser.ask("/api/v1/blobs/\(file.id)", [("If-None-Match", "\"x\"")]).status == 200)
            // Of another file, the beginning may be the same tomorrow.
            let short = try await browser.ask("/api/v1/blobs/\(file.id.prefix(12))")
            #expect(short.fields["cache-control"] == "private, no-cache")
        }
    }

    @Test func `a photo that the node made is shown where it is asked for`() async throws {
        try await tells { alice, browser in
            let picture = try JPEGFile.file(width: 60, height: 30) { x, _ in x < 30 ? .red : .blue }
            let photo = try await alice.client.upload(picture, named: "me.jpg", mediaType: "image/jpeg")
            let thumbnail = try #require(photo.thumbnail)
            for id in [photo.id, thumbnail.id] {
                let answer = try await browser.ask("/api/v1/blobs/\(id)", method: "HEAD")
                #expect(answer.fields["content-type"] == "image/jpeg")
                #expect(answer.fields["content-disposition"]?.hasPrefix("inline;") == true)
                #expect(answer.fields["x-content-type-options"] == "nosniff")
                #expect(answer.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
            }
        }
    }

    @Test(arguments: [
        ("video/mp4", "video/mp4"), ("audio/ogg", "audio/ogg"), ("image/webp", "image/webp"),
        ("application/pdf", "application/pdf"), ("text/html", "application/octet-stream"),
        ("image/svg+xml", "application/octet-stream"), ("text/javascript", "application/octet-stream"),
        ("application/xhtml+xml", "application/octet-stream"), ("text/plain", "application/octet-stream"),
    ])
    func `what somebody sent is a download, and only a harmless type is told`(type: String, told: String) async throws {
        try await tells { alice, browser in
            let file = try await alice.client.upload(Array("<script>".utf8), named: "a.b", mediaType: type)
            for fields in [[], [("Range", "bytes=0-3")]] {
                let answer = try await browser.ask("/api/v1/blobs/\(file.id)", fields)
                #expect(answer.fields["content-type"] == told)
                #expect(answer.fields["content-disposition"] == "attachment; filename*=UTF-8''a.b")
                #expect(answer.fields["x-content-type-options"] == "nosniff")
            }
        }
    }

    @Test func `a form is refused with a hint, and nothing of it is stored`() async throws {
        try await tells { alice, browser in
            let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nAhoy\r\n--x--\r\n"
            let answer = try await browser.ask(
                "/api/v1/blobs?name=a", [("Content-Type", "multipart/form-data; boundary=x")], method: "POST",
                body: form)
            #expect(answer.status == 415 && answer.code == "unsupported_media_type")
            #expect(answer.body.contains("--data-binary"))
        }
    }
}
