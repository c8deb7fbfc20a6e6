import Hummingbird
import Node

extension Endpoint {
    /// Membership by consent.
    static let invites = [
        Endpoint(.post, "/conversations/{id}/invites") { asked, node in
            let wanted = try await asked.body(InvitePerson.self)
            return try Answer.json(await node.invite(wanted.user, to: asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/invites/{user}") { asked, node in
            try Answer.json(await node.cancelInvite(of: asked.segment("user"), to: asked.segment("id")))
        },
        Endpoint(.post, "/conversations/{id}/answer") { asked, node in
            let answer = try await asked.body(AnswerInvite.self)
            return try Answer.json(await node.answerInvite(to: asked.segment("id"), accepting: answer.accept))
        },
    ]
}
