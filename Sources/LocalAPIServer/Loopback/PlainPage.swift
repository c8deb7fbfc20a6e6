import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Pages of plain HTML for those who are not on the page: in its style, without scripts.
enum PlainPage {
    /// A refusal for somebody who reads it in a browser.
    static func refusal(
        _ detail: ErrorDescription.Detail, status: HTTPResponse.Status, filesBelow path: String
    ) -> Response {
        page(
            title: "Moot",
            body: "<h1>\(HTMLEscaping.escape(detail.message))</h1>\n"
                + (detail.hint.map { "<p class=\"hint\">\(HTMLEscaping.escape($0))</p>" } ?? ""),
            status: status, path: path)
    }

    private static func page(
        title: String, body: String, status: HTTPResponse.Status, path: String
    ) -> Response {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(HTMLEscaping.escape(title))</title>
            <link rel="stylesheet" href="\(PageFiles.prefix)\(path)/style.css"></head>
            <body><main class="refused"><div>
            \(body)
            </div></main></body>
            </html>

            """
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
