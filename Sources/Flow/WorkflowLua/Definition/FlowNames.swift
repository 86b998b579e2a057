import LuaVM
import PlainValue

/// The rules for names that flows choose, which are kept and compared outside the flow's limits.
enum FlowNames {
    /// The maximum number of bytes of a name in UTF-8.
    static let longest = 256
    /// The length to which texts in tables of names are cut: too long for a name, enough to show.
    static let cut = 2 * longest

    /// Makes a name. The error of a text that is too long has `what` as its subject.
    static func checked(
        _ text: String, _ what: @autoclosure () -> String, _ code: FlowError.Code = .misuse
    ) throws(FlowError) -> Name {
        guard text.utf8.count > longest else { return Name(text) }
        throw FlowError(.longName.with(code), what(), longest, beginning(of: text))
    }

    private static func beginning(of text: String) -> String {
        let first = String(String.UnicodeScalarView(text.unicodeScalars.prefix(24)))
        return first.debugDescription.dropFirst().dropLast() + "…"
    }
}

extension LuaCall {
    /// The fields of the options table that was passed to a function of the context.
    func options(
        at index: Int, of function: String, known: [String]
    ) throws(FlowError) -> [LuaField] {
        let all = try lua { () throws(LuaError) in
            try fields(at: index, upTo: 64, cuttingTextsTo: FlowNames.cut)
        }
        if let all { return all }
        throw FlowError(.tooManyOptions, function, known.joined(separator: ", "))
    }
}
