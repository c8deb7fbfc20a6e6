import Foundation
import OperationLog
import Storage
import Testing

@testable import SQLiteStore

@Suite("Copies of the database")
struct CopyTests {
    @Test func `a copy has what was stored before it and while it was made`() throws {
        let stored = try StoredRoom(seed: 50, steps: 400)
        let store = stored.store
        // More pages than one step takes.
        try store.set("large", to: [UInt8](repeating: 7, count: 3 << 20))
        let folder = try TemporaryDirectory()
        let path = folder.path + "/copy.sqlite"
        try store.beginCopy(to: path)
        var steps = 0
        while try store.continueCopy(to: path) == false {
            steps += 1
            try store.set("meanwhile \(steps)", to: [1])
        }
        #expect(steps >= 2)
        try store.set("afterwards", to: [1])

        let copy = try ReplicaStore(at: path, replicaEpoch: [UInt8](repeating: 1, count: 16))
        #expect(try copy.integrityCheck() == [])
        #expect(copy.replicaEpoch == store.replicaEpoch)
        for step in 1...steps { #expect(try copy.setting("meanwhile \(step)") == [1]) }
        #expect(try copy.setting("afterwards") == nil)
        #expect(try copy.contentCount(of: stored.conversation) == store.contentCount(of: stored.conversation))
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(permissions as? Int == 0o600)
        try copy.close()
        try store.close()
    }

    @Test func `a copy that another one replaces, or that the end of the store finds, is given up`() throws {
        let store = try TemporaryDirectory().open()
        let folder = try TemporaryDirectory()
        try store.beginCopy(to: folder.path + "/first.sqlite")
        try store.beginCopy(to: folder.path + "/second.sqlite")
        #expect(try store.continueCopy(to: folder.path + "/first.sqlite") == nil)
        try store.close()
        #expect(try store.continueCopy(to: folder.path + "/second.sqlite") == nil)
    }

    @Test func `a copy that cannot be written is an error, and the store goes on`() throws {
        let store = try TemporaryDirectory().open()
        #expect(throws: StoreError.self) { try store.beginCopy(to: "/dev/null/copy") }
        try store.set("afterwards", to: [1])
        #expect(try store.setting("afterwards") == [1])
    }

    @Test func `a copy is made behind a link to its folder, and never through a link in its own place`() throws {
        let store = try TemporaryDirectory().open()
        let folder = try TemporaryDirectory()
        let link = folder.path + "/link"
        // As systemd has the folder of a service whose user exists only while it runs.
        symlink(folder.path, link)
        let other = folder.path + "/other"
        try Data([1, 2, 3]).write(to: URL(filePath: other))
        symlink(other, folder.path + "/planted.sqlite")
        defer { for name in ["link", "other", "copy.sqlite", "planted.sqlite"] { unlink("\(folder.path)/\(name)") } }

        try store.beginCopy(to: link + "/copy.sqlite")
        while try store.continueCopy(to: link + "/copy.sqlite") == false {}
        #expect(folder.mode(of: "copy.sqlite") == 0o600)

        #expect(throws: StoreError.self) { try store.beginCopy(to: link + "/planted.sqlite") }
        #expect(FileManager.default.contents(atPath: other) == Data([1, 2, 3]))
        try store.close()
    }

    @Test func `a restored replica is another one to its peers`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let before = store.replicaEpoch
        try store.close()
        let restored = try ReplicaStore(
            at: directory.file("replica.db"), replicaEpoch: [UInt8](repeating: 9, count: 16), isRestored: true)
        #expect(restored.replicaEpoch == [UInt8](repeating: 9, count: 16))
        #expect(restored.replicaEpoch != before)
    }
}
