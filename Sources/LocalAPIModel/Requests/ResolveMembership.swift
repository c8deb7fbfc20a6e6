/// The body of `POST /membership/resolve`: a line of a file of scenarios.
package struct ResolveMembership: RequestFields {
    /// The most operations a scenario may have here. The command line takes more.
    package static let maximumOperations = 1_000

    package var scenario: String

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case scenario
    }

    package init(scenario: String) {
        self.scenario = scenario
    }
}
