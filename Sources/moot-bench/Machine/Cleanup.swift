import Dispatch
import Foundation
import Synchronization

/// What a run leaves on the machine, and takes away at its end, whether that is an error, Ctrl-C or success.
final class Cleanup: Sendable {
    /// What is to be done; nil once it was done.
    private let actions = Mutex<[@Sendable () -> Void]?>([])

    /// From now on the signals that end a program first take away what is left, while somebody keeps what is returned.
    func onSignals() -> [any DispatchSourceSignal] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [self] in
                run()
                exit(128 + number)
            }
            source.resume()
            // Else the program would end before the source hears of it.
            signal(number, SIG_IGN)
            return source
        }
    }

    /// Notes what has to be done at the end, or does it now if the end has come; what is noted last is done first.
    func add(_ action: @escaping @Sendable () -> Void) {
        let isLate = actions.withLock { actions in
            actions?.append(action)
            return actions == nil
        }
        if isLate { action() }
    }

    /// Does it, once.
    func run() {
        let all = actions.withLock { actions in
            defer { actions = nil }
            return actions ?? []
        }
        for action in all.reversed() { action() }
    }
}
