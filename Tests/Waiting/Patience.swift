import Foundation
import Testing

/// How many times as long as on the usual machine something may take here.
///
/// `scripts/test` measures the machine when it begins, and says so in `MOOT_TEST_PATIENCE`. A fast machine gets no less
/// than 1, because other work may come in between at any moment.
public let patience: Double = {
    let told = ProcessInfo.processInfo.environment["MOOT_TEST_PATIENCE"].flatMap { Double($0) }
    return min(max(told ?? 1, 1), 10)
}()

extension Duration {
    /// A deadline that was chosen for the usual machine, as this one needs it.
    public var scaled: Duration { self * patience }
}

extension Trait where Self == TimeLimitTrait {
    /// A time limit that was chosen for the usual machine, as this one needs it, in whole minutes.
    public static func scaledTimeLimit(minutes: Int) -> Self {
        .timeLimit(.minutes(Int((Double(minutes) * patience).rounded(.up))))
    }
}
