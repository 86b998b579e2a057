import WorkflowLua

// Causes of errors of a service's options and files.
extension FlowError.Reason {
    static let openToAll = Self(.notGranted, "it is not said who may reach %0")
        .help(.init("", .access))
    static let untrusted = Self(.notGranted, "it is not said who writes the flows served at %0")
        .help(
            """
            isolate each flow by FlowOptions.isolation: scripts run in processes that are ended \
            when they do not answer; or set ServiceOptions.trustsFlows: nobody hostile writes \
            the flows, for a script can keep a thread of the program busy for minutes
            """)
    static let takenPort = Self(.connection, "nothing can be served at port %0: %1")
        .help(.init("choose another port with ", .port))
    static let badCertificates = Self(.file, "TLS cannot be used with %0 and %1: %2")
        .help("give a chain of certificates and its key, both in PEM")
    static let badKeys = Self(.file, "%0 is not a set of keys: %1")
        .help("give the JWKS of the issuer: {\"keys\": […]} with RSA, EC or OKP keys")
    static let badToken = Self(.file, "the line is none of a token: %0")
        .help(.init("make lines with ", .token))
    static let unreadableForUser = Self(.file, "%0 cannot be read: %1")
        .help("give the path of a file that this user may read")
    static let twoFlows = Self(.definition, "there are two flows '%0': %1, %2")
        .help("give one of them another name in its definition: name = \"…\"")
    static let noFlowToChoose = Self(.misuse, "there is no flow '%0' whose files are to be chosen")
        .help("there are %1")
    static let noFlowAmongFiles = Self(.misuse, "there is no flow '%0' among the files")
        .help("there are %1")
    static let notServed = Self(.file, "the flow '%0' is not served")
        .help("start the service with its file")
}
