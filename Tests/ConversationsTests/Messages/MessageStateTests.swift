import Blobs
import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@Suite("What becomes of a message")
struct MessageStateTests {
    private let alice = UserID(digest: .hash("test", [1]))
    private let bob = UserID(digest: .hash("test", [2]))
    private let carol = UserID(digest: .hash("test", [3]))
    private let answered = OperationID(digest: .hash("test", [4]))

    private func annotation(
        _ change: AnnotationBody.Change, by author: UserID, _ standing: AuthorRole = .member,
        isCutOff: Bool = false, at minute: Int64
    ) -> Annotation {
        let id = OperationID(digest: .hash("annotation", author.digest.bytes, [UInt8(minute)]))
        return Annotation(
            by: author, authorRole: standing, isCutOff: isCutOff, at: MessagePosition(hybridTime: minute, id: id),
            time: Timestamp(clamping: minute), change: change)
    }

    private func state(
        _ annotations: [Annotation], readable: Bool = true, isCutOff: Bool = false,
        deletingParts deletions: [OperationID: [Annotation]] = [:], pinning: AuthorRole = .moderator
    ) -> MessageState {
        let body = MessageBody(text: "hello @Bob", replyTo: answered, mentions: [bob])
        return MessageState(
            of: alice, saying: readable ? body : nil, isCutOff: isCutOff, with: annotations, deletingParts: deletions,
            pinning: pinning)
    }

    private var untouched: MessageState.Content { .text("hello @Bob", mentions: [bob], editedAt: nil) }

    @Test func `is what was sent while nothing is said about it`() {
        let state = state([])
        #expect(state.content == untouched)
        #expect(state.replyTo == answered)
        #expect(state.reactions.isEmpty && state.pinnedBy == nil)
    }

    @Test func `follows the last edit of its author`() {
        let edits = [
            annotation(.edit(text: "second", mentions: [carol]), by: alice, at: 2),
            annotation(.edit(text: "first", mentions: []), by: alice, at: 1),
        ]
        #expect(state(edits).content == .text("second", mentions: [carol], editedAt: Timestamp(clamping: 2)))
    }

    @Test func `is not changed by what is cut off`() {
        let edit = annotation(.edit(text: "afterwards", mentions: []), by: alice, isCutOff: true, at: 1)
        let reaction = annotation(.reaction(emoji: "👍", isPresent: true), by: bob, isCutOff: true, at: 2)
        let shown = state([edit, reaction])
        #expect(shown.content == untouched)
        #expect(shown.reactions.isEmpty)
    }

    @Test func `is changed by what is cut off if it is cut off itself`() {
        let edit = annotation(.edit(text: "afterwards", mentions: []), by: alice, isCutOff: true, at: 1)
        let edited = MessageState.Content.text("afterwards", mentions: [], editedAt: Timestamp(clamping: 1))
        #expect(state([edit], isCutOff: true).content == edited)
    }

    @Test func `can be deleted by its author at any time`() {
        #expect(state([annotation(.delete, by: alice, isCutOff: true, at: 1)]).isDeleted)
        #expect(!state([annotation(.delete, by: bob, isCutOff: true, at: 1)]).isDeleted)
    }

    @Test func `cannot be edited by anybody else, whatever their role`() {
        #expect(state([annotation(.edit(text: "x", mentions: []), by: bob, .moderator, at: 1)]).content == untouched)
    }

    @Test func `shows nothing once it was deleted, whatever was or will be said`() {
        let all = [
            annotation(.reaction(emoji: "👍", isPresent: true), by: bob, at: 1),
            annotation(.pin(isPinned: true), by: carol, .moderator, at: 2),
            annotation(.delete, by: alice, at: 3),
            annotation(.edit(text: "back again", mentions: []), by: alice, at: 4),
            annotation(.reaction(emoji: "👎", isPresent: true), by: bob, at: 5),
            annotation(.pin(isPinned: true), by: carol, .moderator, at: 6),
        ]
        let state = state(all)
        #expect(state.content == .deleted(by: alice))
        #expect(state.reactions.isEmpty && state.pinnedBy == nil && state.replyTo == nil)
    }

    @Test func `is deleted by its author and by moderators only`() {
        #expect(state([annotation(.delete, by: bob, at: 1)]).content == untouched)
        #expect(state([annotation(.delete, by: bob, .outsider, at: 1)]).content == untouched)
        #expect(state([annotation(.delete, by: bob, .moderator, at: 1)]).content == .deleted(by: bob))
        #expect(state([annotation(.delete, by: alice, .outsider, at: 1)]).content == .deleted(by: alice))
    }

    @Test func `carries each emoji of each person once, until it is taken back`() {
        let state = state([
            annotation(.reaction(emoji: "👍", isPresent: true), by: bob, at: 1),
            annotation(.reaction(emoji: "🎉", isPresent: true), by: carol, at: 2),
            annotation(.reaction(emoji: "👍", isPresent: true), by: bob, at: 3),
            annotation(.reaction(emoji: "👍", isPresent: true), by: carol, at: 4),
            annotation(.reaction(emoji: "🎉", isPresent: false), by: bob, at: 5),
            annotation(.reaction(emoji: "👎", isPresent: true), by: bob, at: 6),
            annotation(.reaction(emoji: "👎", isPresent: false), by: bob, at: 7),
            annotation(.reaction(emoji: "💩", isPresent: true), by: bob, .outsider, at: 8),
        ])
        #expect(state.reactions.map(\.emoji) == ["👍", "🎉"])
        #expect(state.reactions.map(\.users) == [[bob, carol], [carol]])
    }

    @Test func `carries so many emoji of one person and no more`() {
        let many = (1...50).map { number in
            annotation(.reaction(emoji: "e\(number)", isPresent: true), by: bob, at: Int64(number))
        }
        let one = annotation(.reaction(emoji: "e1", isPresent: true), by: carol, at: 60)
        let reactions = state(many + [one]).reactions
        #expect(reactions.map(\.emoji) == (31...50).map { "e\($0)" } + ["e1"])
        #expect(reactions.last?.users == [carol])
    }

    @Test func `is pinned as the last of those said who may`() {
        let pinned = annotation(.pin(isPinned: true), by: carol, .moderator, at: 1)
        #expect(state([pinned]).pinnedBy == carol)
        #expect(state([pinned, annotation(.pin(isPinned: false), by: bob, at: 2)]).pinnedBy == carol)
        #expect(state([pinned, annotation(.pin(isPinned: false), by: bob, .moderator, at: 2)]).pinnedBy == nil)
        #expect(state([annotation(.pin(isPinned: true), by: bob, at: 1)], pinning: .member).pinnedBy == bob)
    }

    @Test func `has the text of an edit where its own body cannot be read`() {
        #expect(state([], readable: false).content == .unreadable)
        let edit = annotation(.edit(text: "here", mentions: []), by: alice, at: 1)
        #expect(state([edit], readable: false).content == .text("here", mentions: [], editedAt: Timestamp(clamping: 1)))
    }

    private func file(_ number: Int) -> AnnotationBody.Change {
        let reference = BlobReference(
            address: BlobEncoder.address(of: "\(number)"), key: BlobKey(bytes: .hash("key")), mediaType: .unknown)
        return .file(name: "\(number)", reference, thumbnail: nil)
    }

    @Test func `carries the files of its author, the first sixteen of them, until it is deleted`() {
        let files = (1...20).map { annotation(file($0), by: alice, at: Int64($0)) }
        let others = [annotation(file(0), by: bob, .moderator, at: 0)]
        #expect(state(others + files.reversed()).files.map(\.name) == (1...16).map(String.init))
        #expect(state(files).files.first?.operation == files[0].position.id)
        #expect(state(files + [annotation(.delete, by: carol, .moderator, at: 30)]).files.isEmpty)
    }

    @Test func `loses a file by its author or a moderator, and others take its place`() {
        let files = (1...18).map { annotation(file($0), by: alice, at: Int64($0)) }
        let deletions = [
            files[0].position.id: [annotation(.delete, by: alice, isCutOff: true, at: 30)],
            files[1].position.id: [
                annotation(.delete, by: bob, at: 31), annotation(.delete, by: alice, at: 33),
                annotation(.delete, by: carol, .moderator, at: 32),
            ],
            files[2].position.id: [annotation(.delete, by: bob, at: 34)],
        ]
        let shown = state(files, deletingParts: deletions)
        #expect(shown.files.map(\.name) == (3...18).map(String.init))
        #expect(shown.deletedFiles.map(\.file.name) == ["1", "2"])
        #expect(shown.deletedFiles.map(\.user) == [alice, carol])
        #expect(shown.content == untouched && !shown.isOnlyFiles)
    }

    @Test func `says nothing but what its files are called, also when one of them is gone`() {
        let files = (1...3).map { annotation(file($0), by: alice, at: Int64($0)) }
        let gone = [files[1].position.id: [annotation(.delete, by: alice, at: 9)]]
        let all = annotation(.edit(text: "1, 2, 3", mentions: []), by: alice, at: 4)
        let rest = annotation(.edit(text: "1, 3", mentions: []), by: alice, at: 5)
        #expect(state(files + [all]).isOnlyFiles)
        #expect(state(files + [all], deletingParts: gone).isOnlyFiles)
        #expect(state(files + [all, rest], deletingParts: gone).isOnlyFiles)
        #expect(!state(files + [all, rest]).isOnlyFiles)
        #expect(!state([all]).isOnlyFiles)
    }

    @Test func `does not say what a file was called that is gone, whoever deleted it`() {
        let files = (1...3).map { annotation(file($0), by: alice, at: Int64($0)) }
        let all = annotation(.edit(text: "1, 2, 3", mentions: []), by: alice, at: 4)
        let rest = annotation(.edit(text: "1, 3", mentions: []), by: alice, at: 5)
        func gone(_ numbers: Int..., after said: Annotation) -> MessageState {
            let deletions = numbers.map { number in
                (files[number - 1].position.id, [annotation(.delete, by: carol, .moderator, at: Int64(10 + number))])
            }
            return state(files + [said], deletingParts: Dictionary(uniqueKeysWithValues: deletions))
        }
        func says(_ text: String, since time: Int64) -> MessageState.Content {
            .text(text, mentions: [], editedAt: Timestamp(clamping: time))
        }
        #expect(gone(2, after: all).content == says("1, 3", since: 4))
        #expect(gone(2, after: all).namesDeletedFiles)
        #expect(gone(2, after: rest).content == says("1, 3", since: 5))
        #expect(!gone(2, after: rest).namesDeletedFiles)
        // Its author had deleted the second and named the rest.
        #expect(gone(2, 3, after: rest).content == says("1", since: 5))
        #expect(gone(1, 2, 3, after: all).content == .deleted(by: carol))
        #expect(gone(1, 2, 3, after: all).deletedFiles.count == 3 && gone(1, 2, 3, after: all).namesDeletedFiles)
        // Words stay what they are.
        let words = annotation(.edit(text: "1, 2, 3, go", mentions: []), by: alice, at: 4)
        #expect(gone(2, after: words).content == says("1, 2, 3, go", since: 4))
        #expect(gone(1, 2, 3, after: words).content == says("1, 2, 3, go", since: 4))
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `does not depend on the order of arrival, nor on what arrives twice`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let people = [alice, bob, carol]
        var annotations: [Annotation] = []
        for number in 0..<Int.random(in: 0...30, using: &random) {
            let change: AnnotationBody.Change =
                switch Int.random(in: 0..<14, using: &random) {
                case 0...2: .edit(text: "text \(number)", mentions: [])
                case 3...7:
                    .reaction(
                        emoji: Bool.random(using: &random) ? "👍" : "🎉",
                        isPresent: Int.random(in: 0..<3, using: &random) > 0)
                case 8...10: .pin(isPinned: Bool.random(using: &random))
                case 11...12: file(number)
                default: .delete
                }
            let standing = Bool.random(using: &random) ? AuthorRole.member : .moderator
            let author = people[Int.random(in: 0..<3, using: &random)]
            let id = OperationID(digest: .hash("annotation", [UInt8(number)]))
            // Few times, so that often the id decides.
            let position = MessagePosition(hybridTime: Int64.random(in: 1...8, using: &random), id: id)
            annotations.append(
                Annotation(
                    by: author, authorRole: standing, isCutOff: Int.random(in: 0..<4, using: &random) == 0,
                    at: position,
                    time: Timestamp(clamping: Int64(number)),
                    change: change))
        }
        // Some of what attaches files is deleted in its turn, by several.
        var deletions: [OperationID: [Annotation]] = [:]
        for number in 0..<6 {
            guard let id = annotations.randomElement(using: &random)?.position.id else { break }
            deletions[id, default: []].append(
                annotation(
                    .delete, by: people[Int.random(in: 0..<3, using: &random)],
                    Bool.random(using: &random) ? .member : .moderator, at: Int64(number)))
        }
        let expected = state(annotations, deletingParts: deletions)
        for _ in 0..<5 {
            let arrived = annotations.shuffled(using: &random)
            let mixed = deletions.mapValues { $0.shuffled(using: &random) + $0 }
            #expect(state(arrived, deletingParts: mixed) == expected)
            #expect(state(arrived + arrived.prefix(arrived.count / 2), deletingParts: mixed) == expected)
        }
    }
}
