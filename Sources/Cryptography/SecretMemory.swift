import CSodium
import Synchronization

/// Locked memory between guard pages, in which short secrets stand side by side.
///
/// libsodium gives every allocation pages of its own: four of them and eleven system calls for a key of 32 bytes. A node opens
/// channels all the time and keeps a key an epoch, and what a user may lock is often 8 MiB; so secrets share regions. A region
/// goes back to the system never, a place in it is wiped when its secret goes.
enum SecretMemory {
    /// Bytes of a place.
    static let placeByteCount = 64
    /// Places in a region.
    private static let regionPlaceCount = 256

    /// A place nobody uses; it holds zeros.
    private struct Slot: @unchecked Sendable {
        // Safe to share: whoever takes it from the list is the only one who has it.
        let start: UnsafeMutableRawPointer
    }

    private static let free = Mutex<[Slot]>([])

    /// Takes a place of ``placeByteCount`` zeros.
    static func allocate() -> UnsafeMutableRawPointer {
        free.withLock { free in
            if let place = free.popLast() { return place.start }
            let byteCount = placeByteCount * regionPlaceCount
            guard Sodium.isReady, let region = sodium_malloc(byteCount) else {
                preconditionFailure("no guarded memory is left for \(byteCount) bytes")
            }
            sodium_memzero(region, byteCount)
            for offset in stride(from: placeByteCount, to: byteCount, by: placeByteCount).reversed() {
                free.append(Slot(start: region + offset))
            }
            return region
        }
    }

    /// Wipes a place and gives it back.
    static func release(_ place: UnsafeMutableRawPointer) {
        sodium_memzero(place, placeByteCount)
        free.withLock { $0.append(Slot(start: place)) }
    }
}
