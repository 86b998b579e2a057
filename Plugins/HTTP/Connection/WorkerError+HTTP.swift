import AsyncHTTPClient
import LibC
import NIOCore
import NIOHTTP1
import NIOPosix
import WorkerKit

extension WorkerError {
    init(of error: any Error, at target: Target) {
        let name = target.authority
        switch error {
        case let error as WorkerError: self = error
        case let error as NIOConnectionError where target.scheme == "https" && error.isOfTLS:
            self.init(
                "untrusted", "there is no safe connection to \(name)", help: Self.authorities())
        case let error as NIOConnectionError:
            self.init("unreachable", "\(name) cannot be reached: \(error.reason)")
        case let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode):
            self.init("disconnected", "the connection to \(name) broke: \(error.words)")
        case let error as IOError:
            self.init("unreachable", "\(name) cannot be reached: \(error.words)")
        case let error as HTTPParserError where error == .invalidEOFState:
            self.init(of: HTTPClientError.remoteConnectionClosed, at: target)
        case is HTTPParserError:
            self.init("bad_answer", "what \(name) answers is not HTTP")
        case let error as HTTPClientError: self.init(of: error, at: target)
        case _ where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            self.init(
                "untrusted", "the certificate of \(name) is not trusted", help: Self.authorities())
        case _ where "\(error)".contains("uncleanShutdown"):
            self.init(of: HTTPClientError.uncleanShutdown, at: target)
        case _ where target.scheme == "https":
            self.init(
                "untrusted", "there is no safe connection to \(name)", help: Self.authorities())
        default:
            self.init("failed", "the request to \(name) failed: \(error)")
        }
    }

    private init(of error: HTTPClientError, at target: Target) {
        let name = target.authority
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout:
            self = .timedOut("\(name) could not be reached", 30, nil)
        case .remoteConnectionClosed, .uncleanShutdown:
            self.init(
                "disconnected", "\(name) closed the connection before the answer was complete")
        case .invalidURL, .emptyHost:
            self.init("bad_url", "\(target.url.debugDescription) is not a URL")
        default:
            self.init("failed", "the request to \(name) failed: \(error.shortDescription)")
        }
    }

    /// The next step on a system that has no certificates of authorities; otherwise `nil`.
    static func authorities(
        in files: [String] = [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        ]
    ) -> String? {
        #if canImport(Darwin)
            nil
        #else
            files.contains { access($0, R_OK) == 0 }
                ? nil : "install the package ca-certificates: this system trusts no certificate"
        #endif
    }

    /// - Parameter field: The input field that raises the limit; nil if none does.
    static func timedOut(_ what: String, _ seconds: Double, _ field: String?) -> WorkerError {
        WorkerError(
            "timed_out", "\(what) within \(seconds.secondsText)", help: field.map { "raise \($0)" })
    }
}

extension NIOConnectionError {
    /// True if a connection was made and TLS could not begin, as where no certificate is trusted.
    fileprivate var isOfTLS: Bool {
        connectionErrors.last.map { !($0.error is IOError || $0.error is ChannelError) } ?? false
    }

    fileprivate var reason: String {
        guard let last = connectionErrors.last?.error else {
            return dnsAError == nil && dnsAAAAError == nil
                ? "it has no address" : "there is no host '\(host)'"
        }
        if let error = last as? IOError { return error.words }
        if case ChannelError.connectTimeout = last { return "it does not answer" }
        return "\(last)"
    }
}

extension IOError {
    fileprivate var words: String { String(cString: strerror(errnoCode)) }
}
