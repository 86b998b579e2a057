import WorkerKit

// Granted access does not grow where it is used.
func widen(_ grants: inout Grants) {
    grants.all.append(Grant("file.read"))  // error: 'all' is a 'let' constant
}
