import Workflow

final class Journal { var lines: [String] = [] }

// A lifetime is for any thread, so what it calls at its end shares nothing that is unsafe there.
func note(_ lifetime: Lifetime, in journal: Journal) {
    lifetime.onEnded { journal.lines.append("ended") }  // error: with non-Sendable type 'Journal'
}
