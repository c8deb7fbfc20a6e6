/// A browser that Alice let in: it shows both its secrets with everything it asks.
struct BrowserSession {
    let browser: Browser
    private let secrets: [(String, String)]

    init(of alice: Alice) async throws {
        browser = try Browser(alice.webAddress)
        secrets = try await browser.enter(alice.webAddress)
    }

    /// Asks as a page of the node's own does.
    func ask(
        _ target: String, _ fields: [(String, String)] = [], method: String = "GET", body: String = ""
    ) async throws -> Browser.Answer {
        try await browser.ask(method, target, secrets + fields, body: body)
    }
}
