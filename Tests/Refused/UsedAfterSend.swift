import Workflow

final class Draft { var text = "" }

// What is sent belongs to the host from then on.
func send(to sink: Sink<Draft>) {
    let draft = Draft()
    sink.send(draft)  // error: sending 'draft' risks causing data races
    draft.text = "more"
}
