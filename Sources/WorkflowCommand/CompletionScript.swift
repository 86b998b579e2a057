import ArgumentParser
import WorkerKit
import WorkflowPlugins

/// The scripts that complete command lines, which know that a flow is played without the word `run`.
enum CompletionScript {
    /// The parser's script for bash or zsh, with what it does for a first word that is no command.
    ///
    /// Another text, such as the script for fish, is given back as it is.
    static func completingFlows(_ script: String) -> String {
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

                """, maxReplacements: 1
        ).replacing(
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

                """, maxReplacements: 1
        )
    }
}

extension CompletionKind {
    /// Names of plugins and their workers.
    static var workers: CompletionKind {
        .custom { _, _, _ in names.flatMap { [$0.plugin] + $0.workers } }
    }

    /// Names of workers, each with what stands behind it.
    static func workers(followedBy end: String) -> CompletionKind {
        .custom { _, _, _ in names.flatMap(\.workers).map { $0 + end } }
    }

    private static var names: [(plugin: String, workers: [String])] {
        var options = PluginLibraryOptions()
        options.libraries = []
        let registry = try? options.makeFullRegistry()
        return registry?.plugins.map { entry in
            (entry.plugin.name, entry.plugin.workers.map(\.name).sorted())
        } ?? []
    }
}
