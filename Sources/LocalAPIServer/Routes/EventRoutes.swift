import HTTPTypes
import Hummingbird
import Node

extension Route {
    /// What happens, as it happens.
    static let events = [
        Route(.get, "/events", parameters: ["since", "open", "fold", "ticket"]) { request, node in
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
            let subscription = await node.subscribe(since: resumed, folding: try request.flag("fold"))
            return EventStream.answer(
                to: request.httpRequest, with: subscription, at: place, showing: shown,
                encodedBy: request.state.eventEncoder, on: .of(request.arrival),
                heartbeatEvery: request.state.heartbeat,
                isAllowed: { request.isStillAdmitted })
        }
    ]
}

extension APIRequest {
    /// Whether whoever asks may do what the user may.
    fileprivate var isUsers: Bool { arrival != .loopback || state.loopback?.admission(of: httpRequest) == .everything }

    /// Whether whoever asked is still let in: a token may have been revoked meanwhile, or a session ended.
    fileprivate var isStillAdmitted: Bool {
        arrival != .loopback || state.loopback?.goesOn(httpRequest) == true
    }
}

extension HTTPField.Name {
    /// What a client of server-sent events saw last.
    fileprivate static let lastEventID = HTTPField.Name.known("Last-Event-ID")
}
