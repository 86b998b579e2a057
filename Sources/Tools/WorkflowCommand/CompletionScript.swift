import ArgumentParser
import WorkerKit
import WorkflowPlugins

/// Shell completion scripts that support playing a flow without the word `run`.
enum CompletionScript {
    /// The parser's script for any shell, extended for a first word that is not a subcommand.
    static func completingFlows(_ script: String) -> String {
        inFish(inZsh(inBash(script)))
    }

    private static func inBash(_ script: String) -> String {
        script.replacing(
            """
                *)
                    # Offer subcommand completions

            """,
            with: """
                    -*|*/*|*.*)
                        # A flow, with the options of a run
                        unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
                        _workflow-run_run
                        ;;
                    *)
                        __workflow-run_add_completions -o plusdirs -fX '!*.@(lua)'
                        # Offer subcommand completions

                """, maxReplacements: 1)
    }

    private static func inZsh(_ script: String) -> String {
        script.replacing(
            """
                    _describe -V subcommand subcommands && ret=0

            """,
            with: """
                        _describe -V subcommand subcommands && ret=0
                        _files -g '*.lua' && ret=0

                """, maxReplacements: 1
        ).replacing(
            """
                        "_workflow-run_${words[1]}" && ret=0
                        ;;

            """,
            with: """
                            "_workflow-run_${words[1]}" && ret=0
                            ;;
                        *)
                            # A flow, with the options of a run
                            words=(run "${words[@]}")
                            (( CURRENT += 1 ))
                            _workflow-run_run && ret=0
                            ;;

                """, maxReplacements: 1)
    }

    private static func inFish(_ script: String) -> String {
        let flows = script.split(separator: "\n").first {
            $0.contains(#"_positional "workflow-run run" -eq 1'"#)
        }
        guard let flows else { return script }
        return script.replacing(
            """
                set -l unparsed_tokens (__workflow-run_tokens -pc)

            """,
            with: """
                    set -l unparsed_tokens (__workflow-run_tokens -pc)
                    # A flow, or an option of its run
                    if string match -qr -- '^-|[./]' "$unparsed_tokens[2]"
                        set unparsed_tokens $unparsed_tokens[1] run $unparsed_tokens[2..]
                    end

                """, maxReplacements: 1
        ).replacing(
            // This option only works in terminals, but scripts also complete lines.
            "(__workflow-run_tokens -tC)", with: "(string length -- (commandline -ct))"
        ) + flows.replacing(#""workflow-run run""#, with: #""workflow-run""#) + "\n"
    }
}

extension CompletionKind {
    /// The names of plugins and their workers.
    static var workers: CompletionKind {
        .custom { _, _, _ in names.flatMap { [$0.plugin] + $0.workers } }
    }

    static func workers(followedBy end: String) -> CompletionKind {
        .custom { _, _, _ in names.flatMap(\.workers).map { $0 + end } }
    }

    private static var names: [(plugin: String, workers: [String])] {
        var options = PluginLibraryOptions()
        options.libraries = []
        // A library that cannot be loaded completes nothing.
        let registry = try? options.makeFullRegistry()
        return registry?.plugins.map { entry in
            (entry.plugin.name, entry.plugin.workers.map(\.name).sorted())
        } ?? []
    }
}
