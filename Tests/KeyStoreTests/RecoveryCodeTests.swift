import Cryptography
import CryptographyFixtures
import Foundation
import NodeCore
import OperationLog
import Testing

@testable import KeyStore

@Suite("Recovery codes")
struct RecoveryCodeTests {
    private struct Vectors: Decodable {
        struct Recovery: Decodable {
            let seed: String
            let user: String
            let code: String
        }

        let recoveries: [Recovery]
    }

    private let code: RecoveryCode
    private let groups: [String]

    init() throws {
        code = RecoveryCode(root: SecretBytes(Array(100..<132)))
        groups = code.groups
    }

    /// What is wrong with a text; nil for the code itself.
    private func misspelling(_ text: String) -> RecoveryCode.Misspelling? {
        do throws(RecoveryCode.Misspelling) {
            let read = try RecoveryCode(text)
            #expect(read.groups == groups, "\(text) is another code")
            return nil
        } catch {
            return error
        }
    }

    @Test func `are what an independent implementation makes of the page`() throws {
        let recoveries = try Fixture.load("people-vectors.json", as: Vectors.self).recoveries
        #expect(recoveries.count == 3)
        for recovery in recoveries {
            let seed = try #require(HexadecimalText.decode(recovery.seed))
            let made = RecoveryCode(root: SecretBytes(seed))
            #expect(made.groups.joined(separator: "-") == recovery.code)
            #expect(made.user == recovery.user)
            #expect(try RecoveryCode(recovery.code).root.isSame(as: SecretBytes(seed)))
        }
    }

    @Test func `are read as people type them`() {
        for text in [
            groups.joined(), groups.joined(separator: " ").lowercased(), groups.joined(separator: "\n") + "\n",
            "  " + groups.joined(separator: " - "), groups.joined(separator: "-"),
        ] { #expect(misspelling(text) == nil, "\(text)") }
        let similar = [("O", "0"), ("I", "1"), ("B", "8")]
        let seen = similar.reduce(groups.joined(separator: " ")) { $0.replacing($1.0, with: $1.1) }
        #expect(seen.contains { "018".contains($0) })
        #expect(misspelling(seen) == nil)
    }

    @Test func `name the group of every single wrong character`() {
        for (number, group) in groups.enumerated() {
            for place in group.indices {
                for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where letter != group[place] {
                    var wrong = groups
                    wrong[number].replaceSubrange(place...place, with: String(letter))
                    #expect(misspelling(wrong.joined(separator: " ")) == .group(number + 1))
                    #expect(misspelling(wrong.joined()) == .group(number + 1))
                }
            }
        }
    }

    @Test func `find characters and groups that changed places`() {
        for (number, group) in groups.enumerated() {
            for place in group.indices.dropLast() {
                let next = group.index(after: place)
                guard group[place] != group[next] else { continue }
                var letters = Array(group)
                letters.swapAt(
                    group.distance(from: group.startIndex, to: place), group.distance(from: group.startIndex, to: next))
                var wrong = groups
                wrong[number] = String(letters)
                #expect(misspelling(wrong.joined(separator: " ")) != nil)
            }
        }
        for one in groups.indices {
            for other in groups.indices.suffix(from: one + 1) {
                var wrong = groups
                wrong.swapAt(one, other)
                #expect(misspelling(wrong.joined(separator: " ")) == .group(one + 1))
            }
        }
    }

    @Test func `tell what is missing, and what belongs in no code`() {
        #expect(misspelling(groups.dropLast().joined(separator: " ")) == .length(65))
        #expect(misspelling("") == .length(0))
        #expect(misspelling(groups.joined() + "A") == .length(71))
        var short = groups
        short[6].removeFirst()
        #expect(misspelling(short.joined(separator: " ")) == .group(7))
        #expect(misspelling(short.joined()) == .length(69))
        #expect(misspelling(groups.joined(separator: "_")) == .character("_"))
        #expect(misspelling("Ä") == .character("Ä"))
    }

    @Test func `of another version or with another checksum are none, however right each group is`() {
        // Groups of zeros are right by themselves where the last character is the number of the group.
        let zeros = (1...14).map { "AAAA" + String("ABCDEFGHIJKLMNO".dropFirst($0).prefix(1)) }
        #expect(misspelling(zeros.joined(separator: " ")) == .checksum)
    }

    // MARK: - Of a home

    @Test func `come from a home whose node runs, and change nothing in it`() throws {
        let home = try Dwelling()
        var random = SystemRandom()
        let running = try Home(folder: home.path, cost: .least, random: &random)
        let before = try home.files
        let code = try withExtendedLifetime(running) { try RecoveryCode(ofHome: home.path, passphrase: nil) }
        #expect(code.user == running.keys.author.device.user.description)
        #expect(try home.files == before)
    }

    @Test func `need the passphrase of the home every time`() throws {
        let home = try Dwelling()
        let passphrase = try #require(Passphrase("correct horse"))
        let alice = try home.open(passphrase)
        let code = try RecoveryCode(ofHome: home.path, passphrase: passphrase)
        #expect(SigningKey(seed: code.root)?.verifyingKey == alice.root)
        let none = #expect(throws: NodeError.self) { try RecoveryCode(ofHome: home.path, passphrase: nil) }
        #expect(none?.code == .passphraseNeeded)
        let wrong = try #require(Passphrase("wrong horse"))
        let error = #expect(throws: NodeError.self) { try RecoveryCode(ofHome: home.path, passphrase: wrong) }
        #expect(error?.code == .wrongPassphrase)
    }

    @Test func `come from no home that has no root, or is not there`() throws {
        let home = try Dwelling()
        let nothing = #expect(throws: NodeError.self) { try RecoveryCode(ofHome: home.path, passphrase: nil) }
        #expect(nothing?.code == .invalidOperation)
        var random = SystemRandom()
        let root = SigningKey.generate(using: &random)
        _ = try Home(
            folder: home.path, cost: .least,
            given: .linked(
                user: UserID(root.verifyingKey), device: SecretBytes(count: 32, using: &random),
                channel: SecretBytes(count: 32, using: &random)), random: &random)
        let elsewhere = #expect(throws: NodeError.self) { try RecoveryCode(ofHome: home.path, passphrase: nil) }
        #expect(elsewhere?.hint?.contains("moot recover") == true)
    }
}

@Suite("Recovered homes")
struct RecoveredHomeTests {
    private let code = RecoveryCode(root: SecretBytes(Array(100..<132)))

    @Test func `are a new device with the root of the code, until it is certified`() throws {
        let home = try Dwelling()
        let passphrase = try #require(Passphrase("correct horse"))
        try RecoveredHome.make(in: home.path, of: code, passphrase: passphrase, cost: .least, beginsAtOnce: false)
        let other = try Dwelling()
        try RecoveredHome.make(in: other.path, of: code, passphrase: nil, cost: .least, beginsAtOnce: true)
        let first = try home.open(passphrase)
        #expect(first.root == SigningKey(seed: code.root)?.verifyingKey)
        #expect(try other.open().device != first.device)
        var random = SystemRandom()
        let opened = try Home(folder: home.path, passphrase: passphrase, cost: .least, random: &random)
        #expect(opened.isNewDevice)
        #expect(!opened.isToldToBegin)
        opened.markCertified()
        #expect(!opened.isNewDevice)
        #expect(try Home(folder: other.path, cost: .least, random: &random).isToldToBegin)
    }

    @Test func `take the place of no home`() throws {
        let home = try Dwelling()
        let alice = try home.open()
        let error = #expect(throws: NodeError.self) {
            try RecoveredHome.make(in: home.path, of: code, passphrase: nil, cost: .least, beginsAtOnce: false)
        }
        #expect(error?.code == .homeInUse)
        #expect(try home.open() == alice)
    }

    @Test func `whose root is not there are never opened as somebody new`() throws {
        let home = try Dwelling()
        try RecoveredHome.make(in: home.path, of: code, passphrase: nil, cost: .least, beginsAtOnce: false)
        try home.remove("root.sealed")
        try home.expectRefusal(.damagedHome, naming: "root.sealed")
    }
}
