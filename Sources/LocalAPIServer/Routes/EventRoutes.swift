import HTTPTypes
import Hummingbird
import Node

extension Route {
    /// What happens, as it happens.
    static let events = [
        Route(.get, "/events", parameters: ["since"]) { request, node in
            let resumed: UInt64?
            if let last = request.httpRequest.headers[.lastEventID] {
                guard let number = UInt64(last) else {
                    throw RequestRefusal.invalid("The header Last-Event-ID must be a whole number")
                }
                resumed = number
            } else {
                resumed = try request.number("since", within: 0...UInt64.max)
            }
            let place = try request.state.eventStreams.take()
            return EventStream.answer(
                to: request.httpRequest, with: await node.subscribe(since: resumed), at: place,
                encodedBy: request.state.eventEncoder)
        }
    ]
}

extension HTTPField.Name {
    /// What a client of server-sent events saw last.
    fileprivate static let lastEventID = HTTPField.Name.known("Last-Event-ID")
}
