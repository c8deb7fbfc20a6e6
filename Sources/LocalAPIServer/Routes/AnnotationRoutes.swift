import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// One message and what becomes of it: edit, delete it or a file of it, cancel, react, pin.
    static let annotations = [
        Route(.get, "/messages/{id}") { request, node in
            try APIResponse.json(await node.message(request.segment("id")))
        },
        Route(.get, "/messages/{id}/receipts") { request, node in
            try APIResponse.json(await node.receipts(of: request.segment("id")))
        },
        Route(.patch, "/messages/{id}", taking: ChangeMessage.self) { request, change, node in
            try APIResponse.json(await node.edit(request.segment("id"), to: change.text))
        },
        Route(.delete, "/messages/{id}", parameters: ["pending"]) { request, node in
            let message = try request.segment("id")
            return try APIResponse.json(
                request.flag("pending") ? await node.cancel(message) : await node.delete(message))
        },
        Route(.delete, "/messages/{id}/files/{file}") { request, node in
            try APIResponse.json(await node.delete(file: request.segment("file"), of: request.segment("id")))
        },
        Route(.put, "/messages/{id}/reactions/{emoji}") { request, node in
            try APIResponse.json(
                await node.react(to: request.segment("id"), with: request.segment("emoji"), isPresent: true))
        },
        Route(.delete, "/messages/{id}/reactions/{emoji}") { request, node in
            try APIResponse.json(
                await node.react(to: request.segment("id"), with: request.segment("emoji"), isPresent: false))
        },
        Route(.put, "/messages/{id}/pin") { request, node in
            try APIResponse.json(await node.pin(request.segment("id"), isPinned: true))
        },
        Route(.delete, "/messages/{id}/pin") { request, node in
            try APIResponse.json(await node.pin(request.segment("id"), isPinned: false))
        },
        Route(.get, "/conversations/{id}/pins") { request, node in
            try APIResponse.json(await node.pins(of: request.segment("id")))
        },
    ]
}
