import Blobs
import Conversations
import Cryptography
import NodeCore
import OperationLog
import Storage
import Time

extension World {
    /// Puts a file in and sends it.
    func attach(
        _ step: Step, to conversation: ConversationID, by host: Host, _ core: inout NodeCore, _ moment: Moment
    ) throws(NodeError) {
        var random = SeededRandom(seed: plan.seed, part: UInt64(700_000 + step.at))
        var encoder = BlobEncoder(key: .generate(using: &random))
        let pieces = step.value % 3
        var sealed: [[UInt8]] = []
        for _ in 0..<pieces {
            // Few bytes are drawn: what they are matters to nobody.
            let piece = [UInt8](repeating: random.bytes(1)[0], count: BlobAddress.chunkByteCount)
            sealed.append(encoder.seal(piece) ?? [])
        }
        sealed.append(encoder.seal(random.bytes(1 + step.other)) ?? [])
        let key = encoder.key
        let (address, tree) = encoder.finish()
        do throws(StoreError) {
            for (index, chunk) in sealed.enumerated() {
                try host.disk.save(BlobChunk(chunk, at: index, of: address, in: tree))
            }
        } catch {
            throw NodeError(error)
        }
        core.handle(.uploaded(BlobReference(address: address, key: key, mediaType: .unknown)), at: moment)
        _ = try core.send(
            nil, with: [CarriedFile(name: "file \(step.at)", address: address)], to: conversation, at: moment)
    }

    /// A file that a member can read of and is without although another one has it, or of which they hold what is not
    /// it; nil if there is none.
    func fileLacking(in conversation: ConversationID, among members: [Host]) -> String? {
        for host in members {
            for address in host.core?.blobs ?? [] {
                guard let core = host.core, let file = core.file(of: address), file.conversation == conversation,
                    isWelcome(file, in: conversation, to: host, core)
                else { continue }
                for (index, chunk) in host.disk.image.chunks[address.root] ?? [:] {
                    guard (try? BlobChunk(verifying: chunk.encoded, of: address))?.index == index else {
                        return "\(host.name) holds a wrong chunk of a file"
                    }
                }
                guard core.state(of: address).phase != .here else { continue }
                let holder = members.first { other in
                    other.core?.file(of: address)?.conversation == conversation
                        && other.core?.state(of: address).phase == .here
                }
                if let holder { return "\(host.name) is without a file that \(holder.name) has" }
            }
        }
        return nil
    }

    /// Whether a user is sent a file unasked: of somebody whom they blocked only what they had before.
    private func isWelcome(
        _ file: NamedFile, in conversation: ConversationID, to host: Host, _ core: NodeCore
    ) -> Bool {
        let author = file.operation.flatMap { try? host.disk.operation($0, of: conversation) }?.author.user
        return author.map { !core.isBlocked($0) } ?? true
            && core.replicas[conversation].map { !core.awaitsConsent($0) } ?? true
    }
}
