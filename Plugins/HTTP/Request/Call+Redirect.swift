import NIOHTTP1
import WorkerKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Call {
    /// The request for a redirect; nil if the response is not one. Throws `bad_url` for a redirect
    /// to an invalid URL.
    func redirected(
        by status: HTTPResponseStatus, location: String?
    ) throws(WorkerError) -> Call? {
        guard [301, 302, 303, 307, 308].contains(status.code), let location else { return nil }
        var call = self
        call.target = try target.following(location)
        // Like browsers: only 307 and 308 repeat a POST.
        let isPost = method == .POST && (status.code == 301 || status.code == 302)
        if isPost || status.code == 303 && method != .GET && method != .HEAD {
            call.method = .GET
            call.body = nil
            for name in [
                "content-type", "content-encoding", "content-language", "content-location",
                "idempotency-key",
            ] {
                call.headers.remove(name: name)
            }
        }
        if !call.target.hasOrigin(of: target) {
            call.headers.remove(name: "authorization")
            call.headers.remove(name: "cookie")
        }
        return call
    }
}

extension Target {
    fileprivate func following(_ location: String) throws(WorkerError) -> Target {
        let refusal = WorkerError(
            "bad_url",
            "the redirect to \(location.debugDescription) leads to no URL of http or https")
        guard let next = URL(string: location, relativeTo: URL(string: url)) else { throw refusal }
        do throws(WorkerError) {
            return try Target(next.absoluteString)
        } catch {
            throw refusal
        }
    }
}
