import Cryptography
import OperationLog

extension NaiveLog {
    /// Everything that no replica may hold so; empty if all is well.
    ///
    /// - Parameter verifyingSignatures: false spares about 100 µs for each signature.
    package func findings(verifyingSignatures: Bool = true) -> [String] {
        var findings: [String] = []
        var seen: Set<OperationID> = []
        for operation in claimed where !seen.insert(operation.id).inserted {
            findings.append("\(name(operation)) is held twice")
        }
        for id in Set(operations.keys).subtracting(causalOrder.map(\.id)).sorted() {
            findings.append("\(short(id)) leads into a circle")
        }
        for operation in causalOrder {
            let flaws =
                flawsOfForm(of: operation) + flawsOfConversation(of: operation) + flawsOfLinks(of: operation)
            findings += flaws.map { "\(name(operation)) \($0)" }
        }
        findings += flawsOfChains()
        findings += flawsOfAuthors()
        findings += flawsOfNesting()
        findings += flawsOfSignatures(verifying: verifyingSignatures)
        return findings
    }

    // MARK: - Names

    /// How findings call an operation.
    func name(_ operation: Operation) -> String {
        let header = operation.header
        return "\(header.lane) \(header.sequenceNumber) of \(short(header.device)) (\(short(operation.id)))"
    }

    func short(_ identifier: some DigestIdentifier) -> String { String(identifier.description.prefix(8)) }

    // MARK: - One operation

    private func flawsOfForm(of operation: Operation) -> [String] {
        let header = operation.header
        var flaws: [String] = []
        func require(_ holds: Bool, _ flaw: String) { if !holds { flaws.append(flaw) } }
        require(operation.id == OperationID(digest: .hash("moot/1/op", header.encoded)), "is not named by its header")
        let author = operation.author
        let device = Digest.hash("moot/1/device", author.user.digest.bytes, author.key.bytes)
        require(header.device.digest == device && author.id.digest == device, "is not of the device whose keys it has")
        if let body = operation.body {
            require(body.count == header.bodyLength, "has a body of another length")
            require(Digest.hash("moot/1/body", body) == header.bodyDigest, "has a body of another digest")
        } else {
            require(header.lane == .content, "has no body")
        }
        require((0...65_536).contains(header.bodyLength), "has too long a body")
        require(header.sequenceNumber >= 1, "has no place in a chain")
        require((header.previous == nil) == (header.sequenceNumber == 1), "begins a chain in its middle, or twice")
        require(isAscending(header.dependencies), "names dependencies out of order")
        require(header.dependencies.count <= 16, "names too many dependencies")
        if let previous = header.previous {
            require(!header.dependencies.contains(previous), "names what precedes it twice")
        }
        switch header.lane {
        case .membership: require(header.membershipHeads.isEmpty && header.epoch == nil, "has fields of the other lane")
        case .content:
            require((1...16).contains(header.membershipHeads.count), "names too few or too many membership heads")
            require(isAscending(header.membershipHeads), "names membership heads out of order")
        }
        return flaws
    }

    private func isAscending(_ ids: [OperationID]) -> Bool { zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } }

    private func flawsOfConversation(of operation: Operation) -> [String] {
        let header = operation.header
        guard header.type == .create else {
            return header.conversation == conversation ? [] : ["is of another conversation"]
        }
        var flaws: [String] = []
        if root != .group { flaws.append("creates a direct conversation") }
        if operation.id.digest != conversation.digest { flaws.append("creates another conversation") }
        if header.conversation != nil || header.lane != .membership || !header.parents.isEmpty {
            flaws.append("is no first operation")
        }
        return flaws
    }

    private func flawsOfLinks(of operation: Operation) -> [String] {
        let header = operation.header
        var flaws: [String] = []
        if let id = header.previous {
            if let previous = operations[id]?.header {
                if previous.device != header.device { flaws.append("follows another device's operation") }
                if previous.lane != header.lane { flaws.append("follows an operation of the other lane") }
                if previous.sequenceNumber + 1 != header.sequenceNumber { flaws.append("does not follow its number") }
            } else {
                flaws.append("lacks its previous \(short(id))")
            }
        }
        for id in header.dependencies {
            if operations[id] == nil { flaws.append("lacks its dependency \(short(id))") }
            if let lane = operations[id]?.header.lane, lane != header.lane {
                flaws.append("depends on the other lane's \(short(id))")
            }
        }
        for id in header.membershipHeads {
            if operations[id] == nil { flaws.append("lacks its membership head \(short(id))") }
            if operations[id]?.header.lane == .content { flaws.append("names the message \(short(id)) as a head") }
        }
        return flaws
    }

    // MARK: - All of them

    /// Every chain begins with 1 and has no gap.
    private func flawsOfChains() -> [String] {
        var numbers: [NaiveChain: Set<UInt64>] = [:]
        for operation in claimed { numbers[NaiveChain(operation), default: []].insert(operation.header.sequenceNumber) }
        return numbers.sorted { $0.key < $1.key }.compactMap { chain, numbers in
            let last = numbers.max() ?? 0
            guard numbers.count != last else { return nil }
            return "the \(chain.lane) chain of \(short(chain.device)) has \(numbers.count) numbers up to \(last)"
        }
    }

    /// A content operation's membership past holds those of its parents.
    private func flawsOfNesting() -> [String] {
        var findings: [String] = []
        for operation in operations(in: .content) {
            let header = operation.header
            for id in header.parents {
                guard let parent = operations[id]?.header, parent.membershipHeads != header.membershipHeads else {
                    continue
                }
                let past = membershipPast(of: header.membershipHeads)
                if !past.isSuperset(of: membershipPast(of: parent.membershipHeads)) {
                    findings.append("\(name(operation)) has a membership past that lacks some of \(short(id))'s")
                }
            }
        }
        return findings
    }

    /// Every membership operation is signed, and the last of every content chain and branch; what is signed is signed
    /// well.
    private func flawsOfSignatures(verifying: Bool) -> [String] {
        let followed = Set(causalOrder.compactMap(\.header.previous))
        return causalOrder.compactMap { operation in
            guard let signature = operation.signature else {
                let isCovered = operation.header.lane == .content && followed.contains(operation.id)
                return isCovered ? nil : "\(name(operation)) has no signature"
            }
            guard verifying else { return nil }
            // The label and the id, each after its length in four bytes.
            var statement = Array("moot/1/sig".utf8)
            statement += [0, 0, 0, 32] + operation.id.digest.bytes
            return operation.author.key.verifies(signature, of: statement)
                ? nil : "\(name(operation)) has a false signature"
        }
    }
}
