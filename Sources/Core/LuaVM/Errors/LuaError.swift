import PlainValue

/// An error in a script, in a host function that it called, or in the conversion between the two.
///
/// ```swift
/// do {
///     _ = try vm.call(script, returning: .value)
/// } catch {
///     print(error)  // cart.lua:1: attempt to index a nil value (field 'total')
///     print(error.locals.map { "\($0.name) = \($0.value)" })  // ["cart = {}"]
/// }
/// ```
public struct LuaError: Error, Sendable {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The source text does not compile.
        case syntax
        /// A script raised an error, or did something that Lua does not allow.
        case runtime
        /// A host function threw.
        case host
        /// A value is not a plain value.
        case conversion
        /// Calls are nested too deeply.
        case depth
        /// The source text is longer than the limit.
        case sourceTooLong
        /// The scripts exceeded their memory limit.
        case memoryLimit
        /// The call took too long.
        case timeLimit
        /// The call ran too many instructions.
        case instructionLimit
        /// The call printed too much.
        case printLimit
        /// The call was interrupted by ``LuaVM/Interrupt``.
        case interrupted
        /// The process that ran the scripts has ended; see ``LuaVM/Options/Isolation``.
        case processEnded
        /// The host used the VM incorrectly.
        case invalidUse
    }

    /// Makes an error. A host function throws one to raise it in the script.
    ///
    /// ```swift
    /// throw LuaError(.host, "item 7 is missing")  // at the line of the call
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: One sentence, without the location.
    ///   - location: The line of the script, if one is to blame.
    public init(_ code: Code, _ message: String, location: LuaLocation? = nil) {
        storage = .facts(Facts(code: code, message: message, location: location))
    }

    /// The kind of failure.
    public var code: Code {
        get { facts.code }
        set { facts.code = newValue }
    }
    /// The error in one sentence, without the location.
    public var message: String {
        get { facts.message }
        set { facts.message = newValue }
    }
    /// The location of the error, from Lua's debug data and never from the message.
    public var location: LuaLocation? {
        get { facts.location }
        set { facts.location = newValue }
    }
    /// The call stack of the scripts, innermost first, at most 24 frames for each nested call.
    public var frames: [LuaFrame] {
        get { facts.frames }
        set { facts.frames = newValue }
    }
    /// The local variables of the innermost frame.
    public var locals: [LuaLocal] {
        get { facts.locals }
        set { facts.locals = newValue }
    }
    /// The fault of the value, for a conversion error.
    public var conversion: LuaConversionIssue? {
        get { facts.conversion }
        set { facts.conversion = newValue }
    }
    /// The path of the offending value, such as `rendering.rows[3].on_tap`, for a conversion error.
    public var path: String? {
        get { facts.path }
        set { facts.path = newValue }
    }
    /// The underlying error of a host function.
    public var underlying: (any Error)? {
        get { facts.underlying }
        set { facts.underlying = newValue }
    }

    /// Converts `error`. Unless it is a `LuaError`, its description gets the code ``Code/host``,
    /// and it becomes ``underlying``.
    ///
    /// ```swift
    /// do { try Task.checkCancellation() } catch { throw LuaError(describing: error) }
    /// ```
    public init(describing error: any Error) {
        self = error as? LuaError ?? LuaError(.host, codingReason(error), underlying: error)
    }

    init(_ code: Code, _ message: String, underlying error: any Error) {
        self.init(code, message)
        underlying = error
    }

    private struct Facts {
        var code: Code
        var message: String
        var location: LuaLocation?
        var frames: [LuaFrame] = []
        var locals: [LuaLocal] = []
        var conversion: LuaConversionIssue?
        var path: String?
        var underlying: (any Error)?
    }

    /// One pointer wide, since nearly every function of the VM can throw one.
    private indirect enum Storage { case facts(Facts) }

    private var storage: Storage
    private var facts: Facts {
        get {
            switch storage {
            case .facts(let facts): facts
            }
        }
        set { storage = .facts(newValue) }
    }
}

extension LuaError.Code {
    /// True if it is a limit or an interrupt, which no script can catch: the outermost call ends.
    public var isLimit: Bool {
        switch self {
        case .memoryLimit, .timeLimit, .instructionLimit, .printLimit, .depth, .interrupted: true
        default: false
        }
    }
}

extension LuaError: CustomStringConvertible {
    /// The location and the message, such as `todo.lua:12: attempt to index a nil value`.
    public var description: String {
        location.map { "\($0): \(message)" } ?? message
    }
}

/// A call in a script at the time of an error.
public struct LuaFrame: Sendable, Hashable {
    /// The current location of the call.
    public let location: LuaLocation
    /// The name of the function in the caller, if known; `main chunk` for a file's own code.
    public let function: String?
}

/// A local variable at the time of an error.
public struct LuaLocal: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its value in at most one line. Tables are written as deep as they fit, else by size.
    public let value: String
}
