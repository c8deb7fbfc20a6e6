import Blobs
import HTTPTypes
import Hummingbird
import LocalAPIModel
import NIOCore
import Node
import NodeCore

/// Several files that are here as one download: a ZIP archive, written as it is read.
struct ArchiveAnswer: Sendable {
    /// What is in it, with the names under which each is put there.
    let files: [(reference: BlobReference, name: String)]
    /// What the download is called, without its extension.
    let title: String
    let node: Node

    /// The whole answer; if a file turns out not to be right in the middle, the answer is cut off.
    ///
    /// - Throws: `too_large` for what has no place in an archive.
    func response() throws(NodeError) -> Response {
        let entries = files.map { ZipArchive.Entry(name: $0.name, length: $0.reference.address.length) }
        guard let archive = ZipArchive(of: entries) else {
            throw NodeError(
                .tooLarge, "An archive has at most \(ZipArchive.maximumFiles) files and 4 GiB",
                hint: "Choose fewer files.")
        }
        let body = ResponseBody(contentLength: archive.length) { [files, node] writer in
            var archive = archive
            for (reference, _) in files {
                try await writer.write(ByteBuffer(bytes: archive.begin()))
                var sum = CRC32()
                let chunks = (reference.address.length + BlobAddress.chunkByteCount - 1) / BlobAddress.chunkByteCount
                for index in 0..<max(1, chunks) {
                    let piece = try node.piece(index, of: reference)
                    sum.add(piece)
                    try await writer.write(ByteBuffer(bytes: piece))
                }
                try await writer.write(ByteBuffer(bytes: archive.end(sum: sum.sum)))
            }
            try await writer.write(ByteBuffer(bytes: archive.directory()))
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentDisposition: "attachment; filename*=UTF-8''\(PercentEncoding.encode(title + ".zip"))",
            ], body: body)
    }
}
