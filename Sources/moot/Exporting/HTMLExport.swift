import Conversations
import LocalAPIModel

/// A conversation as one page for a browser. It loads nothing but the photos next to it and runs nothing, which its
/// policy enforces.
struct HTMLExport: ExportDocument {
    let fileName = "conversation.html"
    private var day: String?

    /// What the browser may load: nothing from elsewhere. A page that is opened from a disk has no origin of its own,
    /// so files are named as well.
    static let policy =
        "default-src 'none'; img-src 'self' file:; style-src '\(HTMLStyle.digest)'; base-uri 'none'; form-action 'none'"

    func beginning(_ head: ExportHead) -> [UInt8] {
        let conversation = head.conversation
        let title = HTMLText.line(conversation.title)
        var html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(HTMLStyle.text)</style>
            </head>
            <body>
            <header>
            <h1 dir="auto">\(title)</h1>

            """
        if let description = conversation.description, !description.isEmpty {
            html += "<p class=\"text\" dir=\"auto\">\(HTMLText.block(description))</p>\n"
        }
        html += "<p>Exported \(HTMLText.line(head.time)) by Moot \(HTMLText.line(head.program)).</p>\n"
        html += "<details><summary>\(TerminalText.count(conversation.members.count, "member"))</summary>\n<ul>\n"
        for member in conversation.members {
            html += "<li><bdi>\(HTMLText.line(member.name))</bdi>, \(HTMLText.line(member.role.rawValue))</li>\n"
        }
        html += "</ul>\n</details>\n</header>\n<main>\n"
        return Array(html.utf8)
    }

    mutating func part(_ messages: [MessageDescription], files: ExportedFiles) -> [UInt8] {
        var html = ""
        for message in messages {
            let time = LocalTime(message.sentAt)
            if let newDay = time?.day, newDay != day {
                day = newDay
                html += "<h2>\(newDay)</h2>\n"
            }
            write(message, clock: time?.clock ?? "--:--", files, to: &html)
        }
        return Array(html.utf8)
    }

    func end(gaps: [GapDescription]) -> [UInt8] {
        var html = ""
        for gap in gaps { html += "<p class=\"system\">\(HTMLText.line(gap.text))</p>\n" }
        return Array((html + "</main>\n</body>\n</html>\n").utf8)
    }

    private func write(_ message: MessageDescription, clock: String, _ files: ExportedFiles, to html: inout String) {
        let time = "<time datetime=\"\(HTMLText.line(message.sentAt))\">\(clock)</time>"
        guard message.kind != .system else {
            html += "<p class=\"system\" id=\"m\(HTMLText.line(message.id))\">\(time) "
            html += "<bdi>\(HTMLText.line(message.text))</bdi></p>\n"
            return
        }
        html += "<article id=\"m\(HTMLText.line(message.id))\">\n"
        html += "<p><b><bdi>\(HTMLText.line(message.senderName ?? OwnWord.unknown.rawValue))</bdi></b> \(time)"
        if let marks = message.marks { html += " <small>\(HTMLText.line(marks))</small>" }
        html += "</p>\n"
        if let answered = message.replyTo {
            let words = message.quote?.line ?? "an earlier message"
            html += "<p class=\"quote\" dir=\"auto\"><a href=\"#m\(HTMLText.line(answered))\">"
            html += "\(HTMLText.line(words))</a></p>\n"
        }
        if let missing = message.missingText {
            html += "<p class=\"missing\">\(HTMLText.line(missing))</p>\n"
        } else if message.kind != .file || message.text != message.files.map(\.name).joined(separator: ", ") {
            html += "<p class=\"text\" dir=\"auto\">\(HTMLText.block(message.text))</p>\n"
        }
        for file in message.files { html += "<p class=\"file\">\(HTMLFile.html(of: file, at: files[file]))</p>\n" }
        if let reactions = message.reactionLine { html += "<p class=\"reactions\">\(HTMLText.line(reactions))</p>\n" }
        html += "</article>\n"
    }
}
