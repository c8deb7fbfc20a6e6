import Hummingbird
import Node

extension Endpoint {
    /// Membership by consent.
    static let invites = [
        Endpoint(.post, "/conversations/{id}/invites", taking: InvitePerson.self) { asked, wanted, node in
            try APIResponse.json(await node.invite(wanted.user, to: asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/invites/{user}") { asked, node in
            try APIResponse.json(await node.cancelInvite(of: asked.segment("user"), to: asked.segment("id")))
        },
        Endpoint(.get, "/conversations/{id}/codes") { asked, node in
            try APIResponse.json(await node.codes(of: asked.segment("id")))
        },
        Endpoint(.post, "/conversations/{id}/codes", taking: MakeCode.self) { asked, wanted, node in
            try APIResponse.json(
                await node.makeCode(for: asked.segment("id"), lasting: wanted.expiresIn ?? Node.usualCodeLife))
        },
        Endpoint(.post, "/join", taking: JoinByCode.self) { _, wanted, node in
            try APIResponse.json(await node.join(code: wanted.code))
        },
        Endpoint(.post, "/conversations/{id}/answer", taking: AnswerInvite.self) { asked, answer, node in
            try APIResponse.json(await node.answerInvite(to: asked.segment("id"), accepting: answer.accept))
        },
    ]
}
