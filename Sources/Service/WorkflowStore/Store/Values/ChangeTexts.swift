/// The texts of a change, made before anything is locked for it.
package struct ChangeTexts: Sendable {
    package private(set) var inputs: [StoredInput] = []
    package private(set) var snapshot: String?
    package let code: String?

    /// Makes the texts. Throws `bad_key` or `not_storable`.
    package init(_ change: SessionChange) throws(StoreError) {
        for receipt in change.receipts { try receipt.request.validate() }
        for input in change.inputs { inputs.append(try StoredInput(input)) }
        if let made = change.snapshot {
            snapshot = try StoredValue.text(of: made.document, "the snapshot")
        }
        code = change.code?.text
    }
}
