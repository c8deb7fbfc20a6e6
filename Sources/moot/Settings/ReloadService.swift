import Logging
import NodeCore
import ServiceLifecycle
import UnixSignals

/// Reads the settings again at every SIGHUP, as services of a system do.
struct ReloadService: Service {
    let settings: RunningSettings
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                do throws(NodeError) {
                    _ = try await settings.reload()
                } catch {
                    logger.error("The settings stay as they were", metadata: ["reason": "\(error.message)"])
                }
            }
        }
    }
}
