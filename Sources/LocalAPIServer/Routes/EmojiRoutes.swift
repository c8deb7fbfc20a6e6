import HTTPTypes
import Hummingbird
import LocalAPIModel

extension Route {
    /// What people choose from for a reaction.
    static let emoji = [
        Route(.get, "/emoji") { request, _ in
            let bytes = try WireFormat.encode(EmojiNames.all)
            let tag = EntityTag(of: bytes)
            let isKnown = tag.isAmong(request.httpRequest.headers[values: .ifNoneMatch])
            var response = isKnown ? Response(status: .notModified) : APIResponse.json(written: bytes)
            response.headers[.eTag] = tag.description
            response.headers[.cacheControl] = "private, no-cache"
            return response
        }
    ]
}
