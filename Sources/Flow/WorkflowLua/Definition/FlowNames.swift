import LuaVM
import PlainValue

/// What the names that flows give may be: types of action, definitions, workers, keys.
///
/// They are kept, compared and shown outside of the limits of the flow, and so have one of their own.
enum FlowNames {
    /// The most bytes of a name in UTF-8.
    static let longest = 256
    /// Where texts in tables of names are cut: what is longer is too long, and there is enough to show.
    static let cut = 2 * longest

    /// A name from its text.
    ///
    /// - Parameter what: What it names, such as `the type of an action`.
    /// - Throws: A ``FlowError`` if it is too long.
    static func checked(
        _ text: String, _ what: @autoclosure () -> String, _ code: FlowError.Code = .misuse
    ) throws(FlowError) -> Name {
        guard text.utf8.count > longest else { return Name(text) }
        throw FlowError(
            code, "\(what()) is longer than \(longest) bytes: '\(beginning(of: text))'",
            help: "give a short name, such as an id, and keep long texts in props or in the state")
    }

    /// The first characters of a long text, such as can be shown.
    private static func beginning(of text: String) -> String {
        let first = String(String.UnicodeScalarView(text.unicodeScalars.prefix(24)))
        return first.debugDescription.dropFirst().dropLast() + "…"
    }
}

extension LuaCall {
    /// The fields of the options that a function of the context was given.
    func options(
        at index: Int, of function: String, known: [String]
    ) throws(FlowError) -> [LuaField] {
        let all = try lua { () throws(LuaError) in
            try fields(at: index, upTo: 64, cuttingTextsTo: FlowNames.cut)
        }
        if let all { return all }
        throw FlowError(
            .misuse, "\(function) has more than 64 options",
            help: "its options are \(known.joined(separator: ", "))")
    }
}
