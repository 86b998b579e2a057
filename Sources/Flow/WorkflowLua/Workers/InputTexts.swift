package import PlainValue
import WorkerKit
import Workflow

extension Value {
    /// The action in the form in which it is typed: `add { text = "milk" }`.
    package var actionText: String {
        guard case .record(var fields) = self, case .string(let type)? = fields["type"] else {
            return string ?? summary(maxLength: 120)
        }
        fields["type"] = nil
        return fields.isEmpty ? type : "\(type) \(Value.record(fields).summary(maxLength: 120))"
    }
}

extension WorkerNews {
    /// The event in words: `http.get gives { status = 200 }`.
    package var stepText: String {
        let name = key.isEmpty ? worker : "\(worker):\(key)"
        return switch event {
        case .output(let output): "\(name) gives \(output.summary(maxLength: 120))"
        case .finished: "\(name) finishes"
        case .failed(let error): "\(name) fails: \(error.message)"
        case .started, .cancelled, .abandoned: "\(name) \(event)"
        }
    }
}
