import Hummingbird
import Node

extension Endpoint {
    /// One message and what becomes of it: edit, delete or cancel, react, pin.
    static let annotations = [
        Endpoint(.get, "/messages/{id}") { asked, node in
            try APIResponse.json(await node.message(asked.segment("id")))
        },
        Endpoint(.get, "/messages/{id}/receipts") { asked, node in
            try APIResponse.json(await node.receipts(of: asked.segment("id")))
        },
        Endpoint(.patch, "/messages/{id}", taking: ChangeMessage.self) { asked, change, node in
            try APIResponse.json(await node.edit(asked.segment("id"), to: change.text))
        },
        Endpoint(.delete, "/messages/{id}", parameters: ["pending"]) { asked, node in
            let message = try asked.segment("id")
            return try APIResponse.json(
                asked.flag("pending") ? await node.cancel(message) : await node.delete(message))
        },
        Endpoint(.put, "/messages/{id}/reactions/{emoji}") { asked, node in
            try APIResponse.json(
                await node.react(to: asked.segment("id"), with: asked.segment("emoji"), isPresent: true))
        },
        Endpoint(.delete, "/messages/{id}/reactions/{emoji}") { asked, node in
            try APIResponse.json(
                await node.react(to: asked.segment("id"), with: asked.segment("emoji"), isPresent: false))
        },
        Endpoint(.put, "/messages/{id}/pin") { asked, node in
            try APIResponse.json(await node.pin(asked.segment("id"), isPinned: true))
        },
        Endpoint(.delete, "/messages/{id}/pin") { asked, node in
            try APIResponse.json(await node.pin(asked.segment("id"), isPinned: false))
        },
        Endpoint(.get, "/conversations/{id}/pins") { asked, node in
            try APIResponse.json(await node.pins(of: asked.segment("id")))
        },
    ]
}
