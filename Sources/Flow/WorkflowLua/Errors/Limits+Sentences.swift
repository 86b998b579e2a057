import LuaVM

extension LuaVM.Options {
    /// The message for a call that reached a limit; `nil` for any other code.
    func sentence(for code: FlowError.Code) -> String? {
        switch code {
        case .timeLimit: timeLimit.map { "stopped after \(seconds($0)) in one call" }
        case .instructionLimit:
            instructionLimit.map { "stopped after \($0) instructions in one call" }
        case .memoryLimit: "stopped at \(bytes(memoryLimit)) of memory"
        default: nil
        }
    }
}

private func seconds(_ duration: Duration) -> String {
    let (whole, fraction) = duration.components
    let milliseconds = fraction / 1_000_000_000_000_000
    if whole == 0 { return "\(milliseconds) ms" }
    if milliseconds == 0 { return "\(whole) s" }
    return "\(Double(whole) + Double(milliseconds) / 1000) s"
}

private func bytes(_ count: Int) -> String {
    if count >= 1 << 20, count % (1 << 20) == 0 { return "\(count >> 20) MB" }
    if count >= 1 << 10, count % (1 << 10) == 0 { return "\(count >> 10) KB" }
    return "\(count) bytes"
}
