import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Lets through only requests that the user of the node made, and makes every answer useless to anybody else.
///
/// Every user of the machine, and every page in a browser of theirs, can connect to a port of loopback. So each request
/// must come from a process of the user, must ask for a host that is ours (a browser for the name of this run), must
/// not come from a page that is not ours, and must show a secret that only the user has.
struct LoopbackGuard: RouterMiddleware {
    /// Below it are the single-use addresses.
    static let opening = "/open/"

    let access: LoopbackAccess
    let connections: OwnConnections
    /// Told where a browser asks for the script of a service worker.
    let onWorker: @Sendable () async -> Void

    func handle(
        _ request: Request, context: LoopbackContext, next: (Request, LoopbackContext) async throws -> Response
    ) async throws -> Response {
        try connections.check(context.channel)
        let kind = try kind(ofHostOf: request)
        // The page of no run has one. So somebody held the port once, and planted something in the browser that would
        // read all that is shown.
        guard request.headers[.serviceWorker] == nil else {
            await onWorker()
            throw RequestRefusal.workerRefused
        }
        switch kind {
        case .page: break
        // Nothing is shown to a browser under a name that does not change from run to run: only programs ask, with a
        // token.
        case .programs where request.uri.path.hasPrefix(APIPath.prefix + "/"): break
        case .programs, .formerPage: throw RequestRefusal.wrongHost
        }
        // It shows no secret and does nothing: a browser asks so before it shows the secret.
        if request.isPreflight, request.isMade(by: access.allowedOrigin) { return .preflight }
        try check(request)
        return try await next(request, context)
    }

    private func kind(ofHostOf request: Request) throws(RequestRefusal) -> LoopbackHosts.Kind {
        // A second Host stays among the fields: which of the two another program believed is anybody's guess.
        guard let kind = request.head.authority.flatMap(access.hosts.kind), request.headers[.furtherHost] == nil else {
            throw .wrongHost
        }
        return kind
    }

    private func check(_ request: Request) throws(RequestRefusal) {
        let isOfAllowedPage = request.isMade(by: access.allowedOrigin)
        let (hosts, host) = (access.hosts, request.head.authority ?? "")
        for origin in request.headers[values: .origin] where !isOfAllowedPage && !hosts.isOwn(origin: origin, at: host)
        {
            throw .foreignOrigin
        }
        // Under it no route but that of the addresses can be, and each of them is a secret of its own. Only GET: the
        // page that leads to one is a file of the user's, which to a browser is another site.
        if request.uri.path.hasPrefix(Self.opening), request.method == .get { return }
        // The page itself says nothing of anybody: what it shows it asks for with the two secrets. Whoever followed an
        // address out of a file comes here still from another site, and without the cookie.
        if request.uri.path == "/", request.method == .get || request.method == .head { return }
        guard isOfAllowedPage || !request.isFromAnotherSite else { throw .foreignOrigin }
        if request.uri.path == APIPath.prefix + "/health" { return }
        // The files of the page say nothing that the program itself does not say to whoever has it; the refusal is
        // shown in their style.
        if request.uri.path.hasPrefix(PageRoutes.prefix), request.method == .get || request.method == .head { return }
        if access.mayClaim(request) { return }
        // A page asks for the proof before it shows anything, so it shows nothing here. The proof is of no use but to
        // tell this node from others.
        if request.uri.path == APIPath.prefix + "/web/proof", request.method == .post { return }
        guard let admission = access.admission(of: request) else { throw .notAdmitted }
        guard admission.allows(request.method) else { throw .readOnlyToken }
    }
}

/// Gives every answer on loopback the header fields that keep a browser from using it elsewhere.
struct ProtectiveFields<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = PageRoutes.contentSecurityPolicy
        }
        response.headers[.permissionsPolicy] = PageRoutes.permissionsPolicy
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        // Else a browser looks up the hosts of links as soon as they are shown, and the sender of one learns when it
        // was read.
        response.headers[.xDNSPrefetchControl] = "off"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }
}

extension Request {
    /// Whether a browser says that another site made this request.
    var isFromAnotherSite: Bool { headers[values: .secFetchSite].contains { !LoopbackHosts.mayFetch(from: $0) } }
}

extension HTTPField.Name {
    /// The first `Host` is the request's authority; this finds one that came after it.
    fileprivate static let furtherHost = known("Host")
    /// A browser says so of nothing else (Service Workers, section 7).
    fileprivate static let serviceWorker = known("Service-Worker")
    fileprivate static let secFetchSite = known("Sec-Fetch-Site")
    fileprivate static let referrerPolicy = known("Referrer-Policy")
    fileprivate static let xDNSPrefetchControl = known("X-DNS-Prefetch-Control")
    fileprivate static let permissionsPolicy = known("Permissions-Policy")
    fileprivate static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
}
