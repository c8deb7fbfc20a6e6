import Foundation

/// Everything one run measured.
struct Report: Codable {
    var machine: MachineLimits
    var sets: SetThroughput?
    var judging: Judging?
    var hostileJudging: HostileJudging?
    var list: ConversationList?
    var removal: RemovalCost?
    var lateRemoval: LateRemoval?
    var photo: PhotoCost?
    var catchUp: CatchUps?
    var reading: Reading?
    var counting: CountingTime?
    var live: LiveLatency?
    var crowd: Crowd?
    var start: StartUp?
    var file: FileTransfer?
    var devices: DeviceFigures?
    /// What people look at.
    var screens: [ScreenSpeed] = []

    /// One JSON object.
    func encoded() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Tables for people, in Markdown: the rows of the first, then each further table. A line stays as it is when more
    /// is measured.
    var lines: [String] {
        var rows: [(String, String, String)] = [
            (
                "machine: Ed25519 checks; BLAKE2b digests of 200 bytes",
                "\(whole(machine.signatureChecksPerSecond))/s; \(whole(machine.digestsPerSecond))/s", ""
            ),
            ("machine: plain SQLite inserts of 300 bytes", "\(whole(machine.plainInsertsPerSecond))/s", ""),
            (
                "machine: fsync of 4 KiB, p50; p99",
                "\(short(machine.fsyncMedianMilliseconds)) ms; \(short(machine.fsyncNinetyNineMilliseconds)) ms", ""
            ),
            ("machine: 200 bytes there and back on loopback", "\(whole(machine.loopbackRoundTripMicroseconds)) µs", ""),
        ]
        rows += sets?.rows ?? []
        rows += judging?.rows.map(describe) ?? []
        rows += hostileJudging?.rows.map(describe) ?? []
        if let list {
            rows.append(
                (
                    "list of \(ConversationList.count) conversations; as JSON for the first time; again",
                    "\(short(list.nodeMilliseconds)) ms (least \(short(list.leastMilliseconds))); \(short(list.firstEncodingMilliseconds)) ms; "
                        + "\(short(list.encodingMilliseconds)) ms",
                    "\(short(list.megabytes)) MB"
                ))
        }
        if let removal {
            rows += [
                (
                    "removal in a group of \(RemovalCost.people), then a message: bytes; author; each recipient",
                    "\(removal.epochBytes) bytes; \(short(removal.authorMilliseconds)) ms; "
                        + "\(short(removal.recipientMilliseconds)) ms",
                    "author \(short(removal.authorMilliseconds / 1_000 * machine.signatureChecksPerSecond)) × an Ed25519 check"
                ),
                (
                    "closing and opening a message of \(History.textLength) bytes",
                    "\(short(removal.sealMicroseconds)) µs; \(short(removal.openMicroseconds)) µs", ""
                ),
            ]
        }
        if let lateRemoval {
            rows.append(
                (
                    "a removal that takes back \(LateRemoval.messages) messages: until another node shows a page of them as void; reading the page",
                    "\(short(lateRemoval.shownMilliseconds)) ms (at most \(short(lateRemoval.maximumMilliseconds))); "
                        + "\(short(lateRemoval.readMilliseconds)) ms",
                    "\(short(lateRemoval.shownMilliseconds / lateRemoval.readMilliseconds)) × reading the page"
                ))
        }
        if let photo {
            rows.append(
                (
                    "photo of a JPEG of 24 million pixels and \(short(photo.megabytes)) MB, in a process of its own; every pixel read by "
                        + "libjpeg-turbo",
                    "\(whole(photo.milliseconds)) ms; \(whole(photo.plainMilliseconds)) ms",
                    "\(short(photo.milliseconds / photo.plainMilliseconds)) ×; \(whole(photo.photoKilobytes)) kB"
                ))
        }
        if let catchUp {
            rows.append(
                (
                    "catch-up with encryption against the same without",
                    "\(whole(catchUp.closed.messagesPerSecond))/s; \(whole(catchUp.open.messagesPerSecond))/s",
                    "\(short(catchUp.closed.messagesPerSecond / catchUp.open.messagesPerSecond)) ×"
                ))
        }
        if let catchUp = catchUp?.closed {
            rows += [
                (
                    "catch-up of \(catchUp.messages) messages by \(History.authors) authors",
                    "\(short(catchUp.seconds)) s, \(whole(catchUp.messagesPerSecond))/s",
                    "\(short(catchUp.messagesPerSecond / machine.signatureChecksPerSecond)) × the Ed25519 checks; "
                        + "\(short(catchUp.messagesPerSecond / machine.plainInsertsPerSecond)) × the plain inserts"
                ),
                (
                    "disk per message of \(History.textLength) bytes",
                    "\(whole(catchUp.databaseBytesPerMessage)) bytes", ""
                ),
            ]
        }
        if let reading {
            rows += [
                (
                    "first page of those messages", "\(short(reading.firstPageMilliseconds)) ms", ""
                ),
                (
                    "search in them: a word of one; a word of all; without an index; building the index",
                    "\(short(reading.rareWordMilliseconds)) ms; \(short(reading.commonWordMilliseconds)) ms; "
                        + "\(short(reading.scanMilliseconds)) ms; \(short(reading.indexSeconds)) s", ""
                ),
            ]
        }
        if let counting {
            rows.append(
                (
                    "statistics of \(CountingTime.days) days with \(counting.messages) messages by \(History.authors) authors",
                    "\(short(counting.milliseconds)) ms", "\(short(counting.milliseconds / 100)) × the limit of 100 ms"
                ))
        }
        if let live {
            rows += [
                (
                    "live, 3 nodes, 20/s: durable at the author → shown at another, p50; p99",
                    "\(short(live.medianMilliseconds)) ms; \(short(live.ninetyNineMilliseconds)) ms",
                    "above one fsync: \(short(live.medianMilliseconds - machine.fsyncMedianMilliseconds)) ms; "
                        + "\(short(live.ninetyNineMilliseconds - machine.fsyncNinetyNineMilliseconds)) ms"
                )
            ]
        }
        if let file {
            rows += [
                (
                    "a file of \(file.megabytes) MiB: sent → whole at another node; sealed and hashed before that",
                    "\(short(file.seconds)) s; \(short(file.puttingInSeconds)) s",
                    "\(short(file.plainSeconds / file.seconds)) × the speed of a plain socket (\(short(file.plainSeconds)) s)"
                ),
                (
                    "processor time for that, of both nodes; of the plain socket",
                    "\(short(file.processorSeconds)) s; \(short(file.plainProcessorSeconds)) s", ""
                ),
                (
                    "live messages, p99: while nothing else happens; while the file is on its way",
                    "\(short(file.quietNinetyNine)) ms; \(short(file.busyNinetyNine)) ms",
                    "\(short(file.busyNinetyNine / file.quietNinetyNine)) × (\(file.busyMessages) messages)"
                ),
                (
                    "memory of both nodes grew while the file was on its way",
                    "\(short(file.memoryGrowthMegabytes)) MB", ""
                ),
            ]
        }
        if let devices { rows += describe(devices.linking) + describe(devices.cost) }
        if let start {
            rows += [
                ("start → API ready, new home", "\(short(start.emptyMilliseconds)) ms", ""),
                ("start → API ready, those messages on disk", "\(short(start.fullMilliseconds)) ms", ""),
                ("private memory idle", "\(short(start.idlePrivateMegabytes)) MB", ""),
                ("private memory idle, those messages on disk", "\(short(start.fullPrivateMegabytes)) MB", ""),
            ]
        }
        let lines = rows.map { "| \($0.0) | \($0.1) | \($0.2) |" }
        let tables = screens.map(describe) + [crowd?.table].compactMap { $0 }
        return ["| what | measured | against the machine |", "|---|---|---|"] + lines + tables.map { "\n" + $0 }
    }

    private func describe(_ speed: ScreenSpeed) -> String {
        let rows = speed.figures.map { figure in
            let ratio = figure.ratio.map { "\(short($0)) ×" } ?? (figure.isReached ? "reached" : "missed")
            let text = figure.goal < 1 && figure.goal > 0 ? String(format: "%.3f", figure.value) : whole(figure.value)
            return "| \(figure.what) | \(text) \(figure.unit) | \(figure.goal.formatted()) \(figure.unit) | \(ratio) |"
        }
        let heads = [
            "| \(speed.screen.rawValue), \(speed.messages) messages, \(speed.screen.conversations) conversations | measured | goal | against the goal |",
            "|---|---|---|---|",
        ]
        return (heads + rows).joined(separator: "\n")
    }

    private func describe(_ row: Judging.Row) -> (String, String, String) {
        let perOperation = row.fullMilliseconds / Double(row.operations) * machine.signatureChecksPerSecond / 1_000
        return (
            "membership, \(row.operations) operations, \(BusyLane.people) people: all in full; all one by one; one more; a late removal",
            "\(short(row.fullMilliseconds)) ms; \(short(row.incrementalMilliseconds)) ms; "
                + "\(short(row.headMicroseconds)) µs; \(short(row.lateRemovalMilliseconds)) ms",
            "in full \(short(perOperation)) × the Ed25519 check of each; \(row.overturned) verdicts overturned"
        )
    }

    private func describe(_ row: HostileJudging.Row) -> (String, String, String) {
        (
            "membership written to be slow, \(row.shape), \(row.operations) operations: all in full; all one by one; asked after each",
            "\(short(row.fullMilliseconds)) ms; \(short(row.incrementalMilliseconds)) ms; "
                + (row.askedMilliseconds.map { "\(short($0)) ms" } ?? "not measured"),
            "one by one \(short(row.incrementalMilliseconds / Double(row.operations) / 1_000 * machine.signatureChecksPerSecond)) × "
                + "the Ed25519 check of each"
        )
    }

    private func describe(_ linking: DeviceLinking) -> [(String, String, String)] {
        [
            (
                "a second host with \(linking.messages) messages of \(DeviceLinking.conversations) conversations: linked; readable; whole",
                "\(short(linking.linkedSeconds)) s; \(short(linking.readableSeconds)) s; \(short(linking.wholeSeconds)) s",
                "\(short(Double(linking.messages) / linking.wholeSeconds / machine.plainInsertsPerSecond)) × the plain inserts"
            ),
            (
                "read on one host → read on the other, p50; p99",
                "\(short(linking.clearedMedianMilliseconds)) ms; \(short(linking.clearedNinetyNineMilliseconds)) ms",
                "above one fsync: \(short(linking.clearedMedianMilliseconds - machine.fsyncMedianMilliseconds)) ms"
            ),
        ]
    }

    private func describe(_ cost: DeviceCost) -> [(String, String, String)] {
        func text(_ figure: DeviceCost.Figure) -> String {
            "\(short(figure.processorMilliseconds)) ms, \(whole(figure.bytes)) bytes"
        }
        let (devices, members) = (cost.devices, cost.members)
        return [
            (
                "a message to \(DeviceCost.hosts) people; to one person with \(DeviceCost.hosts) devices: what it costs all",
                "\(text(members)); \(text(devices))",
                "\(short(devices.processorMilliseconds / members.processorMilliseconds)) ×; "
                    + "\(short(devices.bytes / members.bytes)) × as many"
            )
        ]
    }

    private func whole(_ value: Double) -> String { String(Int(value.rounded())) }

    private func short(_ value: Double) -> String { String(format: value < 10 ? "%.2f" : "%.1f", value) }
}
