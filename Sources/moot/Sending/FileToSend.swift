import LocalAPIClient
import LocalAPIModel

/// A file on this host that is to be sent.
struct FileToSend {
    /// What it is called for the others: the last part of the path.
    let name: String
    /// Bytes of the file.
    let length: Int
    private let file: InputFile

    /// Opens a file before anything is sent. What comes under its name afterwards is not sent.
    ///
    /// - Throws: `invalid_request` where it cannot be read or is no file, `permission_denied`, `too_large`.
    init(_ path: String) throws(Failure) {
        file = try InputFile(regular: path)
        length = file.length
        guard length <= APILimits.maximumFileBytes else {
            throw Failure(
                .tooLarge, "\(path) has more than \(APILimits.maximumFileBytes >> 20) MiB", hint: "Send it in parts.")
        }
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Puts it into the node, and shows how far that is.
    ///
    /// - Parameter isPart: Whether it is a part of what a command makes or changes, such as a photo: then the line that
    ///   tells the result is the only one that a terminal shows in the end.
    func put(into node: LocalClient, printing output: Output, asPart isPart: Bool = false) async throws
        -> FileDescription
    {
        var bar = ProgressBar(name, total: length, on: output, isErasedAtEnd: isPart)
        bar.show(0)
        var sent = 0
        return try await node.upload(named: name, mediaType: Self.mediaType(of: name), length: length) {
            // Others may write to it meanwhile. It is sent as long as it was: not a byte more, which the node would
            // take for something else.
            let bytes = Array(try file.read().prefix(length - sent))
            guard !bytes.isEmpty || sent == length else {
                throw Failure(.invalidRequest, "\(name) became shorter while it was sent", hint: "Send it again.")
            }
            sent += bytes.count
            bar.show(min(sent, length))
            return bytes
        }
    }

    /// What a file most likely is, by the end of its name.
    static func mediaType(of name: String) -> String {
        let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return [
            "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
            "heic": "image/heic", "heif": "image/heif", "hif": "image/heif", "avif": "image/avif",
            "tif": "image/tiff", "tiff": "image/tiff", "dng": "image/x-adobe-dng", "cr2": "image/x-canon-cr2",
            "nef": "image/x-nikon-nef", "jp2": "image/jp2", "jxl": "image/jxl", "bmp": "image/bmp",
            "svg": "image/svg+xml", "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime",
            "3gp": "video/3gpp", "avi": "video/x-msvideo", "mpg": "video/mpeg", "mpeg": "video/mpeg",
            "mts": "video/mp2t", "wmv": "video/x-ms-wmv", "webm": "video/webm", "mkv": "video/x-matroska",
            "mp3": "audio/mpeg", "ogg": "audio/ogg",
            "wav": "audio/wav",
            "flac": "audio/flac", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
            "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html",
            "json": "application/json",
        ][end] ?? "application/octet-stream"
    }
}

extension FileDescription {
    /// Whether it is a picture or film of which no photo was made.
    var isUnconverted: Bool { kind != .file && thumbnail == nil }
}
