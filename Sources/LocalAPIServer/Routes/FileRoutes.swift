import BlobStore
import Blobs
import Conversations
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAPIModel
import NIOCore
import NIOHTTP1
import Node
import NodeCore

extension Route {
    /// Putting files in, getting them out, and what is between.
    static let files = [
        Route(.post, "/blobs", parameters: ["name"], takingBytes: true) { request, node in
            guard let name = request.parameter("name") else {
                throw RequestRefusal.invalid("Say what the file is called: ?name=")
            }
            let reference = try await request.file(into: node.receiveFile())
            return try APIResponse.json(await node.take(reference, named: name), status: .created)
        },
        Route(.get, "/blobs/{id}") { request, node in
            let (reference, name) = try await node.openableFile(request.segment("id"))
            return try await APIResponse.file(reference, named: name, of: node)
        },
        Route(.delete, "/blobs/{id}/transfer") { request, node in
            try APIResponse.json(await node.cancelTransfer(of: request.segment("id")))
        },
        Route(.post, "/blobs/{id}/transfer") { request, node in
            try APIResponse.json(await node.fetchFile(request.segment("id")))
        },
        Route(.get, "/conversations/{id}/files", parameters: ["kind"]) { request, node in
            let word = request.parameter("kind")
            let kind = word.flatMap(FileDescription.Kind.init(rawValue:))
            guard word == nil || kind != nil && kind != .unknown else {
                throw RequestRefusal.invalid("The query parameter \"kind\" is photo, video or file")
            }
            return try APIResponse.json(await node.files(in: request.segment("id"), kind: kind))
        },
        Route(.get, "/conversations/{id}/links", parameters: ["before", "limit"]) { request, node in
            try APIResponse.json(
                await node.links(
                    in: request.segment("id"), before: request.parameter("before"),
                    limit: request.number("limit", within: 1...Node.maximumLinks) ?? 50))
        },
    ]
}

extension APIRequest {
    /// Puts the body in as a file, as it comes.
    ///
    /// - Throws: `too_large` before the first byte is read where the length is announced, `invalid_request` for a media type that is none,
    ///   `disk_full`, `quota_reached`, `storage_failed`.
    fileprivate func file(into upload: consuming BlobUpload) async throws -> BlobReference {
        let announced = httpRequest.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard announced <= Node.maximumFileBytes else { throw Self.tooLarge }
        let type = httpRequest.headers[.contentType].map { $0.lowercased().prefix { $0 != ";" && $0 != " " } }
        guard let mediaType = type.map({ MediaType(String($0)) }) ?? .unknown else {
            throw RequestRefusal.invalid("The header Content-Type names no media type")
        }
        do {
            do {
                for try await part in httpRequest.body where try !upload.append(part.readableBytesView) {
                    throw Self.tooLarge
                }
            } catch is HTTPParserError {
                throw RequestRefusal.brokenBody
            }
            guard let reference = try upload.finish(mediaType: mediaType) else { throw Self.tooLarge }
            return reference
        } catch let error as StoreError {
            throw NodeError(error)
        }
    }

    private static var tooLarge: NodeError {
        NodeError(.tooLarge, "A file has at most \(Node.maximumFileBytes >> 20) MiB", hint: "Send it in parts.")
    }
}

extension APIResponse {
    /// A file that somebody sent: a download, whatever it says it is, and never a page.
    fileprivate static func file(_ reference: BlobReference, named name: String, of node: Node) async throws -> Response
    {
        let address = reference.address
        // Before the answer begins: after that an error can only cut it off.
        let first = try await piece(0, of: reference, at: node)
        let body = ResponseBody(contentLength: address.length) { writer in
            try await writer.write(ByteBuffer(bytes: first))
            for index in 1..<max(1, address.chunkCount) {
                try await writer.write(ByteBuffer(bytes: try await piece(index, of: reference, at: node)))
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentDisposition: "attachment; filename*=UTF-8''\(PercentEncoding.encode(name))",
            ], body: body)
    }

    private static func piece(_ index: Int, of reference: BlobReference, at node: Node) async throws -> [UInt8] {
        do throws(NodeError) {
            return try node.piece(index, of: reference)
        } catch {
            if error.code == .notHere { await node.missed(reference) }
            throw error
        }
    }
}
