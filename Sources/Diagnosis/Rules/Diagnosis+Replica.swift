extension Diagnosis {
    /// What is wrong with what the node keeps.
    var replicaFindings: [Finding] {
        guard let node else { return [] }
        let replica = node.replica
        return node.bans.map(banned) + replica.forks.map(homeCopied) + [storageFails(replica)].compactMap { $0 }
            + replica.conversations.flatMap(findings)
    }

    private func banned(_ ban: NodeObservation.Ban) -> Finding {
        Finding(
            .banned, about: ban.name,
            measured:
                "A device of \(ban.name) (\(ban.device.prefix(12))) is not heard for \(Int(ban.secondsLeft)) s more.",
            meaning: "It sent what no honest node sends: its program or its disk is damaged, or somebody attacks.",
            remedy: "moot --version on both hosts; the log here says what it sent")
    }

    private func homeCopied(_ name: String) -> Finding {
        Finding(
            // What was written stays so, also after one of the copies is gone.
            .homeCopied, .note, about: name, measured: "Two programs wrote as one device of \(name).",
            meaning: "They ran on copies of one home, on two hosts or from a backup. Nothing is lost.",
            remedy:
                "moot down on one of the two, and remove its home; moot link makes a second host a device of its own")
    }

    private func storageFails(_ replica: ReplicaObservation) -> Finding? {
        guard let problem = replica.storageProblem, !host.home.isReadOnly else { return nil }
        return Finding(
            .storageFails, about: host.home.folder, measured: problem, meaning: "Nothing new is stored.",
            remedy: "moot status says what to do; then restart the node")
    }

    private func findings(about conversation: ReplicaObservation.Conversation) -> [Finding] {
        var found: [Finding] =
            conversation.gaps.isEmpty
            ? []
            : [
                Finding(
                    .gap, about: conversation.title, measured: conversation.gaps.joined(separator: "; "),
                    meaning: "Nobody who is connected is known to have what is missing.",
                    remedy: "Ask those who have it to start their node.")
            ]
        // What is being fetched may bring what others wait for, and a gap says already what is missing.
        if conversation.pending > 0, !conversation.isPulling, conversation.gaps.isEmpty {
            found.append(
                Finding(
                    .pending, about: conversation.title,
                    measured: "\(conversation.pending) received operations wait for others that are not here.",
                    meaning: "They show once somebody comes who has what they refer to.", remedy: "moot verify"))
        }
        if conversation.missingKeys > 0 {
            found.append(
                Finding(
                    .keysMissing, about: conversation.title,
                    measured: "\(conversation.missingKeys) keys of it do not open on this device.",
                    meaning: "What was written under them cannot be read until a member hands them on again.",
                    remedy: "Keep the node running while other members are online."))
        }
        return found
    }
}
