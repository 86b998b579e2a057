import ArgumentParser
import FlowService
import WorkflowCommand

/// The options for authentication and addresses.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take the tokens in this file; serve token makes its lines.", valueName: "file"),
        completion: .file())
    var tokens: String?

    @Option(
        help: ArgumentHelp(
            "Take tokens (JWT) signed with a key in this file (JWKS).", valueName: "file"),
        completion: .file())
    var jwks: String?

    @Option(help: ArgumentHelp("The issuer of these: their \"iss\".", valueName: "name"))
    var jwtIssuer: String?

    @Option(help: ArgumentHelp("The service that these are for: their \"aud\".", valueName: "name"))
    var jwtAudience: String?

    @Flag(help: "Ask nobody for a token: everybody may do what the flow's access lets them.")
    var openToAll = false

    @Option(
        help: ArgumentHelp(
            "Serve at this address; by default at localhost alone.", valueName: "address"))
    var host = "localhost"

    @Option(
        help: ArgumentHelp(
            "Serve under this name too, at localhost; may be repeated.", valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp("Serve over TLS with these certificates (PEM).", valueName: "file"),
        completion: .file())
    var tlsCert: String?

    @Option(
        help: ArgumentHelp("The key of the certificates (PEM).", valueName: "file"),
        completion: .file())
    var tlsKey: String?

    func validate() throws {
        try check(
            (jwks == nil) == (jwtIssuer == nil) && (jwks == nil) == (jwtAudience == nil),
            "--jwks, --jwt-issuer and --jwt-audience go together.")
        try check(
            !openToAll || tokens == nil && jwks == nil,
            "--open-to-all does not go with --tokens and --jwks.")
        try check(
            (tlsCert == nil) == (tlsKey == nil), "--tls-cert and --tls-key go together.")
    }

    /// True if only this computer can reach the address.
    var isLocal: Bool { ServiceOptions.isLocal(host) }

    func apply(to options: inout ServiceOptions) {
        options.host = host
        options.hosts = allowHost
        options.hostsName = "--allow-host"
        if let tlsCert, let tlsKey { options.tls = .init(certificates: tlsCert, key: tlsKey) }
        if openToAll { options.access = .everybody }
        var issuer: TokenIssuer?
        if let jwks, let jwtIssuer, let jwtAudience {
            issuer = TokenIssuer(keys: jwks, name: jwtIssuer, audience: jwtAudience)
        }
        if tokens != nil || issuer != nil {
            options.access = .files(tokens: tokens, issuer: issuer)
        }
    }
}
