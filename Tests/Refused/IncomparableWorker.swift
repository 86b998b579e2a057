import Workflow

// A worker that is declared again goes on if it is equivalent, so workers are compared.
struct Load: Worker {  // error: does not conform to protocol 'EmittingWorker'
    var id: Int
    func run() async -> Int { id }
}
