import FlowPrinting
import FlowREPL
import PlainValue
import WorkflowLua

/// A page server that runs in the library.
struct PageServer: Sendable {
    /// The address of the page, with its token.
    let address: String
    private let number: Int
    private let library: InspectorLibrary

    /// - Throws: A ``Refusal`` if the library cannot serve it.
    init(_ settings: Value.Record, in library: InspectorLibrary) async throws {
        let text = await library.start(Value.record(settings).json)
        let answer = (try? Value(json: text)) ?? .null
        guard let number = answer["number"]?.int, let address = answer["address"]?.string else {
            throw Refusal(
                FlowError(
                    .connection, answer["message"]?.string ?? "the page cannot be served",
                    help: answer["help"]?.string), .unavailable)
        }
        self.number = number
        self.address = address
        self.library = library
    }

    func close() async { await library.stop(number) }
}
