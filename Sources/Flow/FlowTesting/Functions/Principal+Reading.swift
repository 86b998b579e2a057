import PlainValue
import WorkflowKit
import WorkflowLua

extension Principal {
    /// Reads a principal, such as `{ "name": "ann" }`. Missing claims and scopes are empty.
    init(_ value: Value) throws(FlowError) {
        let record = value.record ?? [:]
        let claims = record["claims"] ?? [:], scopes = record["scopes"] ?? []
        let words = scopes.list?.compactMap(\.string)
        guard let name = record["name"]?.string,
            let claims = claims == [] ? [:] : claims.record,
            let words, words.count == scopes.list?.count,
            record.allSatisfy({ ["name", "claims", "scopes"].contains($0.key) })
        else { throw FlowError(.badPrincipal) }
        self.init(name, claims: claims, scopes: words)
    }
}
