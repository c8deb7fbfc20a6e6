import CPage
import Cryptography

/// The files of the page for browsers, which are in the program.
struct PageFiles: Sendable {
    /// One file.
    struct File: Sendable {
        let bytes: [UInt8]
        let mediaType: String
        let tag: EntityTag
    }

    /// The files of this program. Cost: about a millisecond, once.
    static let embedded = PageFiles(
        UnsafeBufferPointer(start: moot_page_files(), count: moot_page_file_count()).map { file in
            (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
        })

    /// Names the files together: an address that has it never shows those of another version.
    let digest: String
    /// What is at the root, with the addresses of the others in it.
    let index: [UInt8]
    private let files: [String: File]

    /// Names the files by their content.
    init(_ files: [(name: String, bytes: [UInt8])]) {
        var hashed: [UInt8] = []
        for file in files.sorted(by: { $0.name < $1.name }) {
            hashed += Array(file.name.utf8) + [0] + Digest.hash("moot/1/page-file", file.bytes).bytes
        }
        let digest = String(Digest.hash("moot/1/page", hashed).hexadecimal.prefix(16))
        self.digest = digest
        self.files = Dictionary(
            files.filter { $0.name != Self.indexName }.map { name, bytes in
                (name, File(bytes: bytes, mediaType: Self.mediaType(of: name), tag: EntityTag(of: bytes)))
            }, uniquingKeysWith: { first, _ in first })
        let template = files.first { $0.name == Self.indexName }?.bytes ?? []
        index = Array(
            String(decoding: template, as: UTF8.self)
                .split(separator: "DIGEST", omittingEmptySubsequences: false).joined(separator: digest).utf8)
    }

    /// The file at an address; nil if it is of another version, or was never there.
    func file(named name: String, of digest: String) -> File? {
        digest == self.digest ? files[name] : nil
    }

    private static let indexName = "index.html"

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "json": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
