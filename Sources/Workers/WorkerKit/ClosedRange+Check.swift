extension ClosedRange {
    /// Checks the number in a field of an input; the help has the bounds and the unit.
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` for a number outside of the range.
    package func check(_ name: String, _ number: Bound, unit: String = "") throws(WorkerError) {
        guard !contains(number) else { return }
        func text(_ bound: Bound) -> String { (bound as? Double)?.plainText ?? "\(bound)" }
        throw WorkerError(
            "bad_input", "\(name) is \(text(number))",
            help: "it can be from \(text(lowerBound)) to \(text(upperBound))\(unit)")
    }
}
