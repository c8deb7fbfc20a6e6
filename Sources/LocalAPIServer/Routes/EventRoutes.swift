import HTTPTypes
import Hummingbird
import Node

extension Route {
    /// What happens, as it happens.
    static let events = [
        Route(.get, "/events", parameters: ["since", "open"]) { request, node in
            let resumed: UInt64?
            if let last = request.httpRequest.headers[.lastEventID] {
                guard let number = UInt64(last) else {
                    throw RequestRefusal.invalid("The header Last-Event-ID must be a whole number")
                }
                resumed = number
            } else {
                resumed = try request.number("since", within: 0...UInt64.max)
            }
            // What is on the screen does not notify: that is for those to say who may do what the user may.
            guard request.parameter("open") == nil || request.isUsers else { throw RequestRefusal.readOnlyToken }
            let place = try request.state.eventStreams.take()
            var shown: ShownConversation?
            if let conversation = request.parameter("open") { shown = try await node.show(conversation) }
            return EventStream.answer(
                to: request.httpRequest, with: await node.subscribe(since: resumed), at: place, showing: shown,
                encodedBy: request.state.eventEncoder, silence: request.state.eventSilence,
                isAllowed: { request.isStillAdmitted })
        }
    ]
}

extension APIRequest {
    /// Whether whoever asks may do what the user may.
    fileprivate var isUsers: Bool { arrival != .loopback || state.loopback?.admission(of: httpRequest) == .everything }

    /// Whether whoever asked would be let in now: a token may have been revoked meanwhile. A cookie is good until the node stops.
    fileprivate var isStillAdmitted: Bool {
        guard arrival == .loopback, httpRequest.headers[.authorization] != nil else { return true }
        return state.loopback?.admission(of: httpRequest) != nil
    }
}

extension HTTPField.Name {
    /// What a client of server-sent events saw last.
    fileprivate static let lastEventID = HTTPField.Name.known("Last-Event-ID")
}
