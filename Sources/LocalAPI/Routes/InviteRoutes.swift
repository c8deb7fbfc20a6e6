import Hummingbird
import Node

extension Endpoint {
    /// Membership by consent.
    static let invites = [
        Endpoint(.post, "/conversations/{id}/invites", taking: InvitePerson.self) { asked, wanted, node in
            try Answer.json(await node.invite(wanted.user, to: asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/invites/{user}") { asked, node in
            try Answer.json(await node.cancelInvite(of: asked.segment("user"), to: asked.segment("id")))
        },
        Endpoint(.post, "/conversations/{id}/answer", taking: AnswerInvite.self) { asked, answer, node in
            try Answer.json(await node.answerInvite(to: asked.segment("id"), accepting: answer.accept))
        },
    ]
}
