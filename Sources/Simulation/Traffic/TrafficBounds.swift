/// What a message may cost, whatever the size of the group. The goals of one hop, sampled anti-entropy and a ring of
/// pings.
///
/// All bounds on traffic are here, so that a failing check and whoever changes the protocol look at the same numbers.
package struct TrafficBounds: Hashable, Sendable {
    /// Messages on the wire for each operation, for each node that is to receive it: the push itself, and a little for
    /// what confirms it.
    package var messagesPerReceiver = 1.6
    /// Bytes of all messages for each operation and node that received it: the operation, and what confirms it.
    package var bytesPerReceiver = 550.0
    /// Messages by which a node compares in a second what it holds with others.
    package var comparisonsPerNodeSecond = 10.0
    /// Milliseconds of virtual time within which 99 of 100 messages are everywhere.
    package var slowestPercentMilliseconds = 300.0
    /// Messages of a node that a quiet second costs in a group of any size: two pings, two answers, and a comparison
    /// now and then.
    package var quietMessages = 5.0
    /// What it costs for each other node: a ping and its answer every 30 seconds.
    package var quietMessagesPerPeer = 1 / 15.0

    /// Bytes that an operation may cost for each node that receives it, in any plan in which nothing goes wrong:
    /// everything that is sent from the moment when somebody writes, also to keep connections alive.
    package static let bytesPerDelivery = 3_000

    /// Bytes that a node may send another one, on the average, until somebody writes: who it is, what both share, and
    /// where everybody is.
    package static func bytesPerMeeting(among nodes: Int) -> Int { 4_000 + 40 * nodes }

    /// The goals.
    package init() {}

    /// Messages that a node of a group of a size sends in a quiet second.
    package func quietMessagesPerNodeSecond(among nodes: Int) -> Double {
        quietMessages + quietMessagesPerPeer * Double(nodes - 1)
    }

    /// What a run costs more than it may, each with what grew, by kind; empty if it keeps all bounds.
    package func excesses(of outcome: Outcome) -> [String] {
        let (report, nodes) = (outcome.tally.traffic, outcome.plan.nodes)
        guard let writing = report.writing, let resting = report.resting else { return ["the run has no such parts"] }
        var excesses: [String] = []
        func hold(_ figure: Double, to bound: Double, _ what: String, _ kinds: String) {
            guard figure > bound else { return }
            let (figure, bound) = ((figure * 10).rounded() / 10, (bound * 10).rounded() / 10)
            excesses.append("\(figure) \(what), at most \(bound): \(kinds)")
        }
        let kinds = writing.traffic.summary(dividedBy: Double(writing.written))
        hold(
            writing.messagesPerOperation, to: messagesPerReceiver * Double(nodes - 1), "messages for each operation",
            kinds)
        hold(
            writing.bytesPerDelivery, to: bytesPerReceiver, "bytes for each receiver",
            writing.traffic.summary(of: \.bytes, dividedBy: Double(writing.deliveries - writing.written)))
        hold(
            writing.comparisonsPerNodeSecond, to: comparisonsPerNodeSecond, "comparing messages a node and second",
            writing.traffic.summary(dividedBy: Double(nodes) * writing.seconds))
        hold(
            resting.messagesPerNodeSecond, to: quietMessagesPerNodeSecond(among: nodes),
            "messages a node and quiet second",
            resting.traffic.summary(dividedBy: Double(nodes) * resting.seconds))
        let slow = outcome.tally.delays.milliseconds(ofShare: 0.99)
        hold(slow, to: slowestPercentMilliseconds, "ms until 99 of 100 messages are everywhere", kinds)
        let missing = outcome.tally.delays.incomplete(among: nodes)
        if missing > 0 { excesses.append("\(missing) messages are not everywhere") }
        return excesses
    }
}
