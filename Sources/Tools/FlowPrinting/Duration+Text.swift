extension Duration {
    /// The duration for a person: `0.8 s`, `2 min 5 s`, `1 h 3 min`.
    package var text: String {
        let tenths = Int((self / .milliseconds(100)).rounded())
        if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
        let seconds = Int(components.seconds)
        let (minutes, rest) = (seconds / 60, seconds % 60)
        return minutes < 60 ? "\(minutes) min \(rest) s" : "\(minutes / 60) h \(minutes % 60) min"
    }
}
