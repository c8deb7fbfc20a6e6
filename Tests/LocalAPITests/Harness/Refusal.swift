import LocalAPIModel

@testable import LocalAPIClient

/// The code with which a node refuses, nil if it does not; or the words of another error.
func refusal(_ attempt: () async throws -> some Sendable) async -> String? {
    do {
        _ = try await attempt()
        return nil
    } catch LocalClientError.refused(let detail) {
        return detail.code
    } catch {
        return "\(error)"
    }
}
