import BlobStore
import Blobs
import Cryptography
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAPIModel
import NIOCore
import Node
import NodeCore
import Photos

/// A file that is here, as an answer: all of it, a part, or word that the client has it already.
///
/// What somebody sent is a download, whatever it says it is, and never a page. Only photos, which browsers decode as
/// pictures and nothing else, are shown where they are asked for. A type that browsers run or lay out is not told at
/// all.
struct BlobAnswer: Sendable {
    /// What browsers play or decode without running it. The type is told so that a page can show the file; to SVG and
    /// HTML, which have scripts, this does not apply.
    static let toldTypes: Set<String> = [
        "application/pdf", "audio/aac", "audio/flac", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/opus", "audio/wav",
        "audio/webm", "audio/x-wav", "image/avif", "image/bmp", "image/gif", "image/heic", "image/heif", "image/jpeg",
        "image/png", "image/webp", "video/mp4", "video/ogg", "video/quicktime", "video/webm", "video/x-matroska",
    ]

    private static let keptForAYear = "private, max-age=31536000, immutable"

    let reference: BlobReference
    /// What it is called, made harmless.
    let name: String
    let node: Node

    private var tag: EntityTag { EntityTag(id: reference.address.root.hexadecimal) }

    /// Answers a request for the file.
    ///
    /// - Parameter id: How it was named. The beginning of an id may mean another file tomorrow, so that answer is not
    ///   kept.
    func answer(to request: Request, naming id: String) async throws -> Response {
        var headers: HTTPFields = [
            .eTag: tag.description, .acceptRanges: "bytes",
            .cacheControl: id == reference.address.root.hexadecimal ? Self.keptForAYear : "private, no-cache",
        ]
        guard !tag.isAmong(request.headers[values: .ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        let length = reference.address.length
        let bytes: Range<Int>
        switch range(in: request) {
        case .whole:
            bytes = 0..<length
        case .part(let part):
            bytes = part
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
        case .beyond:
            throw RequestRefusal.rangeBeyondEnd(length: length)
        }
        headers[.xContentTypeOptions] = "nosniff"
        let body = try await body(bytes)
        let isPhoto = try await isPhoto()
        headers[.contentType] =
            Self.toldTypes.contains(reference.mediaType.description)
            ? reference.mediaType.description : "application/octet-stream"
        headers[.contentDisposition] =
            "\(isPhoto ? "inline" : "attachment"); filename*=UTF-8''\(PercentEncoding.encode(name))"
        return Response(status: headers[.contentRange] == nil ? .ok : .partialContent, headers: headers, body: body)
    }

    /// Only to GET a range means something, and where the client wants it of a file that it knows, only if it is this
    /// one.
    private func range(in request: Request) -> ByteRange {
        guard request.method == .get else { return .whole }
        if let known = request.headers[.ifRange], known != tag.description { return .whole }
        return ByteRange(request.headers[.range], ofLength: reference.address.length)
    }

    /// Whether it has the form in which Moot makes photos, and not only claims it.
    private func isPhoto() async throws -> Bool {
        guard reference.mediaType == .photo, reference.address.length <= PhotoReference.maximumPictureBytes else {
            return false
        }
        return PictureHeader.Format(ofFileBeginning: try await piece(0)) == .jpeg
    }

    private func body(_ bytes: Range<Int>) async throws -> ResponseBody {
        let chunks =
            bytes.lowerBound / BlobAddress.chunkByteCount...max(bytes.lowerBound, bytes.upperBound - 1)
            / BlobAddress.chunkByteCount
        // Before the answer begins: after that an error can only cut it off.
        let first = try await part(of: chunks.lowerBound, within: bytes)
        return ResponseBody(contentLength: bytes.count) { writer in
            try await writer.write(ByteBuffer(bytes: first))
            for index in chunks.dropFirst() {
                try await writer.write(ByteBuffer(bytes: try await part(of: index, within: bytes)))
            }
            try await writer.finish(nil)
        }
    }

    /// What a range has of a chunk.
    private func part(of index: Int, within bytes: Range<Int>) async throws -> ArraySlice<UInt8> {
        let piece = try await piece(index)
        let begin = index * BlobAddress.chunkByteCount
        let wanted = bytes.clamped(to: begin..<begin + piece.count)
        return piece[(wanted.lowerBound - begin)..<(wanted.upperBound - begin)]
    }

    private func piece(_ index: Int) async throws -> [UInt8] {
        do throws(NodeError) {
            return try node.piece(index, of: reference)
        } catch {
            if error.code == .notHere { await node.missed(reference) }
            throw error
        }
    }
}
