import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Who is in a conversation and what they may do there.
    static let members = [
        Route(.get, "/conversations/{id}/members", parameters: ["after", "limit"]) { request, node in
            try APIResponse.json(
                await node.members(
                    of: request.segment("id"), after: request.parameter("after"),
                    limit: request.number("limit", within: 1...256) ?? APILimits.defaultMemberPageSize))
        },
        Route(.post, "/conversations/{id}/members", taking: AddMembers.self) { request, wanted, node in
            guard !wanted.members.isEmpty else { throw RequestRefusal.invalid("The list \"members\" is empty") }
            return try APIResponse.json(await node.add(wanted.members, to: request.segment("id")))
        },
        Route(.delete, "/conversations/{id}/members/{user}", parameters: ["since", "archive"]) { request, node in
            try APIResponse.json(
                await node.remove(
                    request.segment("user"), from: request.segment("id"), since: request.parameter("since"),
                    archive: request.flag("archive")))
        },
        Route(.get, "/conversations/{id}/members/{user}/removal", parameters: ["since"]) { request, node in
            guard let since = request.parameter("since") else {
                throw RequestRefusal.invalid("The parameter \"since\" is missing")
            }
            return try APIResponse.json(
                await node.removalLosses(of: request.segment("user"), from: request.segment("id"), since: since))
        },
        Route(.patch, "/conversations/{id}/members/{user}", taking: ChangeRole.self) { request, change, node in
            try APIResponse.json(
                await node.setRole(of: request.segment("user"), in: request.segment("id"), to: change.role))
        },
        Route(.post, "/conversations/{id}/leave", taking: LeaveConversation.self) { request, wish, node in
            try APIResponse.json(
                await node.leave(
                    request.segment("id"), successor: wish.successor, force: wish.force ?? false,
                    archive: wish.archive ?? false))
        },
    ]
}
