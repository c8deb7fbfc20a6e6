import HTTPTypes
import Hummingbird
import Node

extension Endpoint {
    /// What happens, as it happens.
    static let events = [
        Endpoint(.get, "/events", parameters: ["since"]) { asked, node in
            let resumed: UInt64?
            if let last = asked.request.headers[.lastEventID] {
                guard let number = UInt64(last) else {
                    throw RequestRefusal.invalid("The header Last-Event-ID must be a whole number")
                }
                resumed = number
            } else {
                resumed = try asked.number("since", within: 0...UInt64.max)
            }
            let place = try asked.state.eventStreams.take()
            return EventStream.answer(
                to: asked.request, with: await node.subscribe(since: resumed), at: place,
                encodedBy: asked.state.eventEncoder)
        }
    ]
}

extension HTTPField.Name {
    /// What a client of server-sent events saw last.
    fileprivate static let lastEventID = HTTPField.Name.known("Last-Event-ID")
}
