/// A browser that Alice let in: it shows its cookie with everything it asks.
struct BrowserSession {
    let browser: Browser
    private let cookie: String

    init(of alice: Alice) async throws {
        browser = try Browser(alice.webAddress)
        cookie = try await browser.follow(alice.webAddress)
    }

    /// Asks as a page of the node's own does.
    func ask(
        _ target: String, _ fields: [(String, String)] = [], method: String = "GET", body: String = ""
    ) async throws -> Browser.Answer {
        try await browser.ask(method, target, [("Cookie", cookie)] + fields, body: body)
    }
}
