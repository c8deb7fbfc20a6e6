import Foundation

/// Does something on a thread whose stack has 512 KiB, and waits for its end.
func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        let thread = Thread {
            body()
            continuation.resume()
        }
        thread.stackSize = 512 << 10
        thread.start()
    }
}
