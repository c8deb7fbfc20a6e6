/// The body of `POST /diagnosis`.
package struct Diagnose: RequestFields {
    /// Whose nodes are asked how they reach this one; absent for nobody's.
    package var with: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case with
    }

    package init(with: String? = nil) {
        self.with = with
    }
}
