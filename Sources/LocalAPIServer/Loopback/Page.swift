import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Pages of plain HTML: no scripts, no styles, nothing loaded from anywhere.
enum Page {
    /// What is at the root: what this is, and where programs find its API. It says nothing of whose node it is, for it is shown to browsers
    /// that have not shown their secrets.
    static var index: Response {
        let api = APIPath.prefix
        return page(
            title: "Moot",
            body: """
                <h1>Moot</h1>
                <p>This is a node of Moot, a group chat without a server.</p>
                <p>There is nothing to chat with on this page. In a terminal, <code>moot help</code> lists what there is.</p>
                <ul>
                <li><a href="\(api)/openapi.json">\(api)/openapi.json</a> describes the API</li>
                <li><a href="\(api)/status">\(api)/status</a> tells how the node is doing</li>
                <li><a href="\(api)/metrics">\(api)/metrics</a> tells the same to Prometheus</li>
                </ul>
                """)
    }

    /// A refusal for somebody who reads it in a browser.
    static func refusal(_ detail: ErrorDescription.Detail, status: HTTPResponse.Status) -> Response {
        page(
            title: "Moot",
            body: "<h1>\(escaped(detail.message))</h1>\n" + (detail.hint.map { "<p>\(escaped($0))</p>" } ?? ""),
            status: status)
    }

    private static func page(
        title: String, body: String, status: HTTPResponse.Status = .ok
    ) -> Response {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(escaped(title))</title></head>
            <body>
            \(body)
            </body>
            </html>

            """
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Text as HTML shows it, whatever is in it.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
