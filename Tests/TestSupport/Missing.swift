package struct Missing: Error, CustomStringConvertible {
    package let what: String
    package init(what: String) { self.what = what }
    package var description: String { "there is no \(what)" }
}

/// A broken promise of what a test uses.
package struct Unexpected: Error, CustomStringConvertible {
    package let description: String
    package init(what: String) { description = what }
}
