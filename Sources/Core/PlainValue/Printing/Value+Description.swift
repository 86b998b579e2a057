extension Value: CustomStringConvertible {
    /// The value as a person writes it in Lua: `{ price = 12, tags = { "new" } }`.
    ///
    /// Control characters and others that are not plainly visible are escaped, so the text is
    /// safe to print on a terminal.
    public var description: String { summary(maxLength: .max) }

    /// The beginning of ``description``, ending in `…` when that is longer than `maxLength`.
    ///
    /// Takes time for what it prints, not for the whole value. The length is in Unicode scalars.
    public func summary(maxLength: Int) -> String {
        var printer = ValuePrinter(maxLength: maxLength)
        printer.print(self)
        return printer.finish()
    }
}

extension Value.List: CustomStringConvertible {
    /// The list as a person writes it in Lua.
    public var description: String { Value.list(self).description }
}

extension Value.Record: CustomStringConvertible {
    /// The record as a person writes it in Lua.
    public var description: String { Value.record(self).description }
}
