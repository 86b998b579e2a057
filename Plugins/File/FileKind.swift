enum FileKind: String, Codable, Sendable, CaseIterable {
    case file, folder, link
    /// A pipe, a socket or a device.
    case other
}
