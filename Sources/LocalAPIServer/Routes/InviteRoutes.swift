import Hummingbird
import LocalAPIModel
import Node
import QRCodes

extension Route {
    /// Membership by consent.
    static let invites = [
        Route(.post, "/conversations/{id}/invites", taking: InvitePerson.self) { request, wanted, node in
            try APIResponse.json(await node.invite(wanted.user, to: request.segment("id")))
        },
        Route(.delete, "/conversations/{id}/invites/{user}") { request, node in
            try APIResponse.json(await node.cancelInvite(of: request.segment("user"), to: request.segment("id")))
        },
        Route(.get, "/conversations/{id}/codes") { request, node in
            try APIResponse.json(await node.codes(of: request.segment("id")))
        },
        Route(.post, "/conversations/{id}/codes", taking: MakeCode.self) { request, wanted, node in
            var made = try await node.makeCode(
                for: request.segment("id"), lasting: wanted.expiresIn ?? Node.defaultCodeLifetime)
            made.qr = QRCode(made.code)?.svg
            return try APIResponse.json(made)
        },
        Route(.post, "/join", taking: JoinByCode.self) { _, wanted, node in
            try APIResponse.json(await node.join(code: wanted.code))
        },
        Route(.post, "/conversations/{id}/answer", taking: AnswerInvite.self) { request, answer, node in
            try APIResponse.json(await node.answerInvite(to: request.segment("id"), accepting: answer.accept))
        },
    ]
}
