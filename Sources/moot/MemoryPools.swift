import CProcess

/// How the process holds memory.
enum MemoryPools {
    /// Lets all threads share two pools of memory, before there are threads.
    ///
    /// Otherwise each gets its own, up to eight for a core. What a file is made of goes from queue to queue and so from
    /// thread to thread, and every pool would keep what was free in it for a moment: some ten megabytes more, and
    /// nothing gets faster.
    static func limitPools() {
        _ = moot_limit_memory_pools(2)
    }
}
