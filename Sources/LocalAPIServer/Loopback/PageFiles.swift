import CPage
import Cryptography
import FoundationEssentials

/// The files of the page for browsers, which are in the program, as one run of the node serves them.
struct PageFiles: Sendable {
    /// One file.
    struct File: Sendable {
        let bytes: [UInt8]
        let mediaType: String
        let tag: EntityTag
    }

    /// Below it are the files.
    static let prefix = "/page/"

    /// The files of this program, below a path of this run. Cost: some milliseconds.
    static func embedded(below path: String) -> PageFiles {
        PageFiles(
            UnsafeBufferPointer(start: moot_page_files(), count: moot_page_file_count()).map { file in
                (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
            }, below: path)
    }

    /// Where the files are: a name that nobody knew before this run, so that nobody could have a browser keep something
    /// else under it.
    let path: String
    /// What is at the root, with the addresses and the digests of the others in it.
    let index: [UInt8]
    /// What of the document is a script in it, as a Content Security Policy names it: the list of digests.
    let inlineScript: String
    private let files: [String: File]

    /// Puts the addresses of the files into the document, and for each what must be in it: a browser runs nothing else,
    /// whoever answers it.
    init(_ files: [(name: String, bytes: [UInt8])], below path: String) {
        self.path = path
        self.files = Dictionary(
            files.filter { $0.name != Self.indexName }.map { name, bytes in
                (name, File(bytes: bytes, mediaType: Self.mediaType(of: name), tag: EntityTag(of: bytes)))
            }, uniquingKeysWith: { first, _ in first })
        let digests = self.files.filter { $0.key.hasSuffix(".js") || $0.key.hasSuffix(".css") }
            .mapValues { Self.digest(of: $0.bytes) }
        let list = digests.sorted { $0.key < $1.key }.map { "\"\(Self.prefix)\(path)/\($0.key)\":\"\($0.value)\"" }
        let map = "{\"integrity\":{" + list.joined(separator: ",") + "}}"
        inlineScript = "'\(Self.digest(of: Array(map.utf8)))'"
        var text = String(decoding: files.first { $0.name == Self.indexName }?.bytes ?? [], as: UTF8.self)
        for (name, digest) in digests {
            let address = "\"page/DIGEST/\(name)\""
            text = text.split(separator: address, omittingEmptySubsequences: false)
                .joined(separator: "\(address) integrity=\"\(digest)\"")
        }
        // Before the first module: a list that comes later is not heeded.
        text = text.split(separator: "<!-- INTEGRITY -->", omittingEmptySubsequences: false)
            .joined(separator: "<script type=\"importmap\">\(map)</script>")
        index = Array(text.split(separator: "DIGEST", omittingEmptySubsequences: false).joined(separator: path).utf8)
    }

    /// The file at an address; nil if it is of another run, or was never there.
    func file(named name: String, below path: String) -> File? {
        path == self.path ? files[name] : nil
    }

    private static let indexName = "index.html"

    /// A digest as Subresource Integrity has it.
    private static func digest(of bytes: [UInt8]) -> String {
        "sha256-" + Data(SHA256.hash(bytes)).base64EncodedString()
    }

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
