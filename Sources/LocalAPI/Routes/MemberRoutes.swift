import Hummingbird
import Node

extension Endpoint {
    /// Who is in a conversation and what he may do there.
    static let members = [
        Endpoint(.post, "/conversations/{id}/members") { asked, node in
            let wanted = try await asked.body(AddMembers.self)
            guard !wanted.members.isEmpty else { throw RequestRefusal.invalid("The list \"members\" is empty") }
            return try Answer.json(await node.add(wanted.members, to: asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/members/{user}", parameters: ["archive"]) { asked, node in
            try Answer.json(
                await node.remove(
                    asked.segment("user"), from: asked.segment("id"), archive: asked.flag("archive")))
        },
        Endpoint(.patch, "/conversations/{id}/members/{user}") { asked, node in
            let change = try await asked.body(ChangeRole.self)
            return try Answer.json(
                await node.setRole(of: asked.segment("user"), in: asked.segment("id"), to: change.role))
        },
        Endpoint(.post, "/conversations/{id}/leave") { asked, node in
            let wish = try await asked.body(LeaveConversation.self)
            return try Answer.json(
                await node.leave(
                    asked.segment("id"), successor: wish.successor, force: wish.force ?? false,
                    archive: wish.archive ?? false))
        },
    ]
}
