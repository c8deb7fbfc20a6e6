import Fuzzing
import Glibc

/// The decoder that `MOOT_FUZZ_DECODER` names.
private let decoder: Decoder = {
    let name = getenv("MOOT_FUZZ_DECODER").map { String(cString: $0) } ?? ""
    guard let decoder = Decoder.named(name) else {
        fatalError("MOOT_FUZZ_DECODER must be one of: \(Decoder.all.map(\.name).joined(separator: " "))")
    }
    return decoder
}()

/// Tries one input of libFuzzer. A broken promise crashes, which is how libFuzzer learns of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do {
        _ = try decoder.check(bytes)
    } catch {
        fatalError("\(decoder.name): broken promise: \(error)")
    }
    return 0
}
