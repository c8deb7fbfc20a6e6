import CSodium
import Synchronization

/// Locked memory between guard pages, in which short secrets stand side by side.
///
/// libsodium gives every allocation pages of its own: four of them and eleven system calls for a key of 32 bytes. A
/// node opens channels all the time and keeps a key an epoch, and what a user may lock is often 8 MiB; so secrets share
/// regions. A region goes back to the system never, a slot in it is wiped when its secret goes.
enum SecretMemory {
    /// Bytes of a slot.
    static let slotByteCount = 64
    /// Slots in a region.
    private static let regionSlotCount = 256

    /// A slot nobody uses; it holds zeros.
    private struct Slot: @unchecked Sendable {
        // Safe to share: whoever takes it from the list is the only one who has it.
        let start: UnsafeMutableRawPointer
    }

    private static let free = Mutex<[Slot]>([])

    /// Takes a slot of ``slotByteCount`` zeros.
    static func allocate() -> UnsafeMutableRawPointer {
        free.withLock { free in
            if let slot = free.popLast() { return slot.start }
            let byteCount = slotByteCount * regionSlotCount
            guard Sodium.isReady, let region = sodium_malloc(byteCount) else {
                preconditionFailure("no guarded memory is left for \(byteCount) bytes")
            }
            sodium_memzero(region, byteCount)
            for offset in stride(from: slotByteCount, to: byteCount, by: slotByteCount).reversed() {
                free.append(Slot(start: region + offset))
            }
            return region
        }
    }

    /// Wipes a slot and gives it back.
    static func release(_ slot: UnsafeMutableRawPointer) {
        sodium_memzero(slot, slotByteCount)
        free.withLock { $0.append(Slot(start: slot)) }
    }
}
