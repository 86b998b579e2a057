import NIOCore
import NIOSSL
import Synchronization
import WorkflowLua

/// The server's certificates and key, which can be read again while it serves. Open connections
/// keep the old ones.
final class ServerCertificates: Sendable {
    private struct Identity: Sendable {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource
    }

    private let files: ServiceOptions.TLS
    private let identity: Mutex<Identity>

    init(_ files: ServiceOptions.TLS) throws(FlowError) {
        self.files = files
        identity = Mutex(try Self.read(files))
    }

    /// Reads the files again. On an error the previous contents stay in force.
    func reload() throws(FlowError) {
        let read = try Self.read(files)
        identity.withLock { $0 = read }
    }

    /// The TLS configuration. Each new connection gets the latest certificates.
    var configuration: TLSConfiguration {
        let first = identity.withLock { $0 }
        var configuration = Self.configuration(of: first)
        configuration.sslContextCallback = { [self] _, promise in
            let identity = identity.withLock { $0 }
            var shown = NIOSSLContextConfigurationOverride()
            shown.certificateChain = identity.chain
            shown.privateKey = identity.key
            promise.succeed(shown)
        }
        return configuration
    }

    private static func configuration(of identity: Identity) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: identity.chain, privateKey: identity.key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    private static func read(_ files: ServiceOptions.TLS) throws(FlowError) -> Identity {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificates)
            guard !chain.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
            let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            let identity = Identity(
                chain: chain.map { .certificate($0) }, key: .privateKey(key))
            do { _ = try NIOSSLContext(configuration: configuration(of: identity)) } catch {
                throw cannotBeUsed(files, "the key does not fit the first certificate (\(error))")
            }
            return identity
        } catch let error as FlowError {
            throw error
        } catch {
            throw cannotBeUsed(files, "\(error)")
        }
    }

    private static func cannotBeUsed(
        _ files: ServiceOptions.TLS, _ reason: String
    ) -> FlowError {
        FlowError(.badCertificates, files.certificates, files.key, reason)
    }
}
