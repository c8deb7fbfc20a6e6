import HTTPTypes
import Hummingbird
import LocalAPIModel

/// The part of a list that a request asks for, answered so that a client which has it already is told no more than
/// that.
///
/// The answer stays the list itself, also where it is a part: where the next part is stands in the header `Link` (RFC
/// 8288).
struct ListPage: Sendable {
    /// The most entries of a page. Without a limit all of them come.
    static let maximumLimit = 1_000

    /// The id of the last entry of the page before.
    let after: String?
    private let limit: Int?
    private let request: APIRequest

    /// Reads the query parameters `after` and `limit`.
    init(of request: APIRequest) throws(RequestRefusal) {
        after = request.parameter("after")
        limit = try request.number("limit", within: 1...Self.maximumLimit)
        self.request = request
    }

    /// How many entries to look for: one more than are shown tells whether there is another page.
    var limitToAsk: Int { limit.map { $0 + 1 } ?? .max }

    /// The entries of the page.
    func shown<Entry>(of found: [Entry]) -> [Entry] {
        limit.map { Array(found.prefix($0)) } ?? found
    }

    /// Answers with the page.
    ///
    /// - Parameters:
    ///   - bytes: The page as JSON.
    ///   - isLast: Whether no other page comes after it.
    ///   - lastID: The id of its last entry.
    func response(_ bytes: [UInt8], isLast: Bool, lastID: String?) -> Response {
        let tag = EntityTag(of: bytes)
        let isKnown = tag.isAmong(request.httpRequest.headers[values: .ifNoneMatch])
        var response = isKnown ? Response(status: .notModified) : APIResponse.json(written: bytes)
        response.headers[.eTag] = tag.description
        // A browser may keep it, and asks each time whether it is still so.
        response.headers[.cacheControl] = "private, no-cache"
        if !isLast, let lastID {
            response.headers[.link] = "<\(request.target(with: "after", as: lastID))>; rel=\"next\""
        }
        return response
    }
}

extension HTTPField.Name {
    /// Where related things are (RFC 8288).
    fileprivate static let link = HTTPField.Name.known("Link")
}
