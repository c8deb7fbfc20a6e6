import Foundation
import Synchronization

/// What a run leaves on the machine, and takes away at its end, whether that is an error, Ctrl-C or success.
final class Cleanup: Sendable {
    /// What is to be done; nil once it was done.
    private let actions = Mutex<[@Sendable () -> Void]?>([])

    /// Where the handler of signals writes their numbers: hardly anything else is allowed in one.
    private static let signals = Pipe()
    private static let signalInput = signals.fileHandleForWriting.fileDescriptor

    /// From now on the signals that end a program first take away what is left.
    func runsOnSignals() {
        // A dispatch source would not do: a signal that is ignored for it gets lost while no thread blocks it.
        _ = Self.signalInput
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Cleanup.signalInput, &byte, 1)
            }
        }
        Thread { [self] in
            guard let number = Self.signals.fileHandleForReading.readData(ofLength: 1).first else { return }
            run()
            // At once: the rest of the program still runs, and has nothing left to run with.
            _exit(128 + Int32(number))
        }.start()
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
