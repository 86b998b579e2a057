extension Value: CustomStringConvertible {
    /// The value in Lua's notation: `{ price = 12, tags = { "new" } }`.
    ///
    /// Characters that are not plainly visible are escaped, so a terminal can show the text safely.
    public var description: String { summary(maxLength: .max) }

    /// The beginning of ``description``, ending in `…` if that is longer than `maxLength`.
    ///
    /// The time depends on the printed part only. The length is in Unicode scalars.
    ///
    /// ```swift
    /// print((["tags": ["new"]] as Value).summary(maxLength: 10))  // { tags = …
    /// ```
    public func summary(maxLength: Int) -> String {
        var printer = ValuePrinter(maxLength: maxLength)
        printer.print(self)
        return printer.finish()
    }
}

extension Value.List: CustomStringConvertible {
    /// The list in Lua's notation.
    public var description: String { Value.list(self).description }
}

extension Value.Record: CustomStringConvertible {
    /// The record in Lua's notation.
    public var description: String { Value.record(self).description }
}
