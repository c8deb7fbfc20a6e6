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
import Storage

extension Route {
    /// Putting files in, getting them out, and what is between.
    static let files = [
        Route(.post, "/blobs", parameters: ["name"], takingBytes: true) { request, node in
            guard let name = request.parameter("name") else {
                throw RequestRefusal.invalid("Say what the file is called: ?name=")
            }
            let reference = try await request.file(into: node.receiveFile())
            let file = try await node.take(reference, named: name)
            return try APIResponse.created(file, at: "blobs", file.id)
        },
        Route(.get, "/blobs/{id}", parameters: ["ticket"]) { request, node in
            let (reference, name) = try await node.openableFile(request.segment("id"))
            return try await BlobAnswer(reference: reference, name: name, node: node)
                .answer(to: request.httpRequest, naming: request.segment("id"))
        },
        Route(.delete, "/blobs/{id}/transfer") { request, node in
            try APIResponse.json(await node.cancelTransfer(of: request.segment("id")))
        },
        Route(.post, "/blobs/{id}/transfer") { request, node in
            try APIResponse.json(await node.fetchFile(request.segment("id")))
        },
        Route(.get, "/conversations/{id}/files", parameters: ["kind", "before", "limit"]) { request, node in
            let word = request.parameter("kind")
            let kind = word.flatMap(FileDescription.Kind.init(rawValue:))
            guard word == nil || kind != nil && kind != .unknown else {
                throw RequestRefusal.invalid("The query parameter \"kind\" is photo, video or file")
            }
            return try APIResponse.json(
                await node.files(
                    in: request.segment("id"), kind: kind, before: request.parameter("before"),
                    limit: request.number("limit", within: 1...Node.maximumFilesPerPage) ?? 100))
        },
        Route(.get, "/conversations/{id}/archive", parameters: ["files", "ticket"]) { request, node in
            let ids = (request.parameter("files") ?? "").split(separator: ",").map(String.init)
            guard (1...ZipArchive.maximumFiles).contains(ids.count) else {
                throw RequestRefusal.invalid(
                    "Name 1 to \(ZipArchive.maximumFiles) files with commas between their ids: ?files=")
            }
            let found = try await node.openableFiles(ids, in: request.segment("id"))
            return try ArchiveAnswer(files: found.files, title: found.title, node: node).response()
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
    /// - Throws: `too_large` before the first byte is read where the length is announced, `invalid_request` for a media
    ///   type that is none, `unsupported_media_type` for a form, `disk_full`, `quota_reached`, `storage_failed`.
    fileprivate func file(into upload: consuming BlobUpload) async throws -> BlobReference {
        let announced = httpRequest.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard announced <= Node.maximumFileBytes else { throw Self.tooLarge }
        let type = httpRequest.headers[.contentType].map { $0.lowercased().prefix { $0 != ";" && $0 != " " } }
        // A form has its file between boundaries, and both would be stored.
        guard type != "multipart/form-data" else { throw RequestRefusal.formRefused }
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
