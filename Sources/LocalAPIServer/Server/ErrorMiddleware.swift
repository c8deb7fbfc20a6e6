import HTTPTypes
import Hummingbird
import LocalAPIModel
import Logging
import Node
import NodeCore

/// Turns everything a route throws into an answer with a code, a sentence and a fitting status.
struct ErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    /// Where the files of the page are, if somebody may read the answers in a browser; then what is outside the API is
    /// refused with a page.
    let pagePath: String?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(to: request, context: context, next: next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        to request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as NodeError {
            return APIResponse.error(error.detail, status: error.code.status)
        } catch let error as RequestRefusal {
            return answer(error, to: request)
        } catch let error as UnreadableJSON {
            return answer(.invalid(error.sentence), to: request)
        } catch let error as HTTPError where error.status == .notFound {
            return answer(.noSuchRoute(path: request.uri.path), to: request)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            context.logger.error("A request failed", metadata: ["code": "\(error.logCode)"])
            return APIResponse.error(
                .init(code: "internal_error", message: "The node could not answer", hint: "See its log"),
                status: .internalServerError)
        }
    }

    private func answer(_ refusal: RequestRefusal, to request: Request) -> Response {
        var headers: HTTPFields = [:]
        switch refusal {
        case .methodNotAllowed(let allowed):
            headers[.allow] = allowed.joined(separator: ", ")
        case .workerRefused:
            // What asks for it may be planted in the origin already.
            headers[.clearSiteData] = "\"cache\", \"cookies\", \"storage\""
        case .notAdmitted:
            headers[.wwwAuthenticate] = "Bearer"
        case .rangeBeyondEnd(let length):
            headers[.contentRange] = "bytes */\(length)"
        case .bodyTooLarge, .brokenBody, .formRefused:
            // What is left of the body is not worth reading.
            headers[.connection] = "close"
        case .noSuchRoute, .invalid, .wrongHost, .foreignOrigin, .ownerUnknown, .addressUsed, .noWeb,
            .socketOnly, .userOnly, .rootOnSocketOnly, .readOnlyToken, .noSession, .keyClaimed, .noSuchSession,
            .noSuchToken, .tokenExists,
            .tooManyTokens, .tooManyStreams, .diagnosisUnderWay:
            break
        }
        if refusal != .workerRefused, let pagePath, !request.uri.path.hasPrefix(APIPath.prefix) {
            return PlainPage.refusal(refusal.detail, status: refusal.status, filesBelow: pagePath)
        }
        return APIResponse.error(refusal.detail, status: refusal.status, headers: headers)
    }
}

extension HTTPField.Name {
    /// What a browser is to forget of an origin (Clear Site Data, section 3).
    fileprivate static let clearSiteData = known("Clear-Site-Data")
}
