/// Tells a service manager again and again that a service works, as long as the service shows that it does.
public struct Watchdog: Sendable {
    private let manager: ServiceManager
    private let turn: @Sendable () async -> Void

    /// Describes a watchdog.
    ///
    /// - Parameter turn: Returns as soon as the service has come to it among everything else that it does. While it is
    ///   stuck the manager is told nothing.
    public init(telling manager: ServiceManager, turn: @escaping @Sendable () async -> Void) {
        self.manager = manager
        self.turn = turn
    }

    /// Tells the manager twice in each of its intervals, until the task is canceled. Returns at once if it does not
    /// watch.
    public func run() async {
        guard let interval = manager.watchdogInterval else { return }
        while !Task.isCancelled {
            await turn()
            manager.tell(.alive)
            do {
                try await Task.sleep(for: interval / 2)
            } catch {
                return
            }
        }
    }
}
