import Foundation
import PhotoFixtures
import Testing

extension Stories {
    @Suite("Photos")
    struct Photos {
        /// What somebody might do who has taken over a reader of pictures, and how the process ends.
        private static let attempts: [(String, status: Int32)] = [
            ("nothing", 0), ("open", killed), ("create", killed), ("socket", killed), ("fork", killed),
            ("execute", killed), ("signal", killed), ("read-other", killed), ("new-code", killed), ("memory", 1),
            ("for-ever", 128 + SIGXCPU),
        ]

        /// The kernel ends a process that makes a call which is not allowed.
        private static let killed = 128 + SIGSYS

        @Test(arguments: attempts)
        func `a picture that takes over the process that reads it has taken over nothing`(
            attempt: String, status: Int32
        ) async throws {
            let library = try await Interposed("TakeOver")
            let scratch = try Scratch()
            let picture = scratch.file("picture.jpg")
            try Data(JPEGFile.file(width: 8, height: 8) { _, _ in .red }).write(to: URL(filePath: picture))
            let program = try Program(
                [TestNode.moot + "-photo"], environment: library.environment.merging(["MOOT_ATTEMPT": attempt]) { $1 },
                input: picture, output: scratch.file("output"), errors: scratch.file("errors"))
            #expect(await program.ended().status == status)
        }
    }
}
