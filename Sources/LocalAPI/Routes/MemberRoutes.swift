import Hummingbird
import Node

extension Endpoint {
    /// Who is in a conversation and what they may do there.
    static let members = [
        Endpoint(.get, "/conversations/{id}/members", parameters: ["after", "limit"]) { asked, node in
            try APIResponse.json(
                await node.members(
                    of: asked.segment("id"), after: asked.parameter("after"),
                    limit: asked.number("limit", within: 1...256) ?? Node.memberPage))
        },
        Endpoint(.post, "/conversations/{id}/members", taking: AddMembers.self) { asked, wanted, node in
            guard !wanted.members.isEmpty else { throw RequestRefusal.invalid("The list \"members\" is empty") }
            return try APIResponse.json(await node.add(wanted.members, to: asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/members/{user}", parameters: ["archive"]) { asked, node in
            try APIResponse.json(
                await node.remove(
                    asked.segment("user"), from: asked.segment("id"), archive: asked.flag("archive")))
        },
        Endpoint(.patch, "/conversations/{id}/members/{user}", taking: ChangeRole.self) { asked, change, node in
            try APIResponse.json(
                await node.setRole(of: asked.segment("user"), in: asked.segment("id"), to: change.role))
        },
        Endpoint(.post, "/conversations/{id}/leave", taking: LeaveConversation.self) { asked, wish, node in
            try APIResponse.json(
                await node.leave(
                    asked.segment("id"), successor: wish.successor, force: wish.force ?? false,
                    archive: wish.archive ?? false))
        },
    ]
}
