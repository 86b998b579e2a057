/// The reasons why a node renders.
public struct RenderCause: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// One bit for each reason.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The node is new.
    @inlinable public static var first: RenderCause { RenderCause(rawValue: 1) }
    /// An action changed its state.
    @inlinable public static var state: RenderCause { RenderCause(rawValue: 2) }
    /// Its parent handed down inputs that differ, or that cannot be compared.
    @inlinable public static var inputs: RenderCause { RenderCause(rawValue: 4) }
    /// A node below it renders.
    @inlinable public static var descendant: RenderCause { RenderCause(rawValue: 8) }
    /// It, or a node below it, failed in the last pass.
    @inlinable public static var failure: RenderCause { RenderCause(rawValue: 16) }
    /// Nothing changed; the host renders everything.
    @inlinable public static var everything: RenderCause { RenderCause(rawValue: 32) }

    /// The reasons by name, such as `state, descendant`.
    public var description: String {
        let names: [(RenderCause, String)] = [
            (.first, "first"), (.state, "state"), (.inputs, "inputs"), (.descendant, "descendant"),
            (.failure, "failure"), (.everything, "everything"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
