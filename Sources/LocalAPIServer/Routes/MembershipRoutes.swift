import Hummingbird
import LocalAPIModel
import Membership
import MembershipScenarios
import Node

extension Route {
    /// The membership lane with its verdicts, or only what is void and why; and the same rules asked about a made-up
    /// lane.
    static let membership = [
        Route(.get, "/conversations/{id}/membership", parameters: ["void", "person"]) { request, node in
            let conversation = try request.segment("id")
            guard try request.flag("void") else {
                guard request.parameter("person") == nil else {
                    throw RequestRefusal.invalid("The query parameter \"person\" goes with void=true")
                }
                return try APIResponse.json(await node.membershipHistory(of: conversation))
            }
            return try APIResponse.json(
                await node.membershipReasons(of: conversation, person: request.parameter("person")))
        },
        // It asks the rules and no replica, so it does not wait for the node's turn.
        Route(.post, "/membership/resolve", taking: ResolveMembership.self) { _, wanted, _ in
            try APIResponse.json(try answer(to: wanted))
        },
    ]

    private static func answer(to wanted: ResolveMembership) throws(RequestRefusal) -> ScenarioAnswer {
        let scenario: Scenario
        do {
            scenario = try Scenario(line: Array(wanted.scenario.utf8))
        } catch {
            throw .invalid("This is no scenario: \(error.sentence)")
        }
        let limit = APILimits.maximumScenarioOperations
        guard scenario.operationCount <= limit else {
            throw .invalid("A scenario has at most \(limit) operations here; 'moot membership resolve' takes more")
        }
        return ScenarioAnswer(scenario.outcome())
    }
}

extension ScenarioAnswer {
    fileprivate init(_ outcome: ScenarioOutcome) {
        self.init(
            members: outcome.members.map { ScenarioMember(person: $0.person.text, role: $0.role.name) },
            actingAdmin: outcome.acting?.text, archived: outcome.isArchived, waitlist: outcome.waitlist.map(\.text),
            fields: outcome.fields.map { ScenarioField(name: $0.name.text, value: $0.value) },
            void: outcome.void.map { void in
                ScenarioVoid(
                    id: void.id.text, rule: void.voidReason.rule.rawValue, sentence: void.voidReason.rule.sentence,
                    decidedBy: void.voidReason.decidedBy?.text)
            },
            content: outcome.content?.map { written in
                ScenarioContentAnswer(
                    id: written.id.text, result: written.verdict.word, sentence: written.verdict.sentence,
                    decidedBy: written.verdict.decidedBy?.text)
            })
    }
}
