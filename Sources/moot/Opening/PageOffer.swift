import KeyStore

/// The page for browsers, offered to somebody who starts their first node on a desktop: most people never open a
/// terminal again.
enum PageOffer {
    /// Whether to serve the page, and to open it when the node is ready: what they answer, where they are asked.
    ///
    /// They are asked once, before the home is made; never where nobody answers, where there is no desktop, or where
    /// they said what to serve.
    ///
    /// - Parameters:
    ///   - home: The folder that the first start makes.
    ///   - isChosen: Whether they said what browsers are served.
    static func isAccepted(home: String, isChosen: Bool, by common: CommonOptions) -> Bool {
        guard !isChosen, common.mayAsk, Desktop.isThere, !StoppedHome.isThere(home) else { return false }
        return Question.isAnsweredYes("Moot has a page for your browser. Serve it on this machine, and open it now?")
    }

    /// Leads the browser to the page.
    static func open(_ address: String, by runtime: String, _ output: Output) async {
        switch await Desktop.open(secret: address, by: runtime) {
        case .opened: output.say("From now on: moot up --web 8420, and moot open")
        case .noPage, .noBrowser: output.say("No browser could be started; follow the address yourself.")
        }
    }
}
