import LibC

/// Opens an address in the user's browser, if there is one: the address is printed anyway.
func openInBrowser(_ address: String) {
    #if canImport(Darwin)
        let words = ["open", address]
        var files: posix_spawn_file_actions_t?
    #else
        let words = ["xdg-open", address]
        var files = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    posix_spawnp(&process, words[0], &files, nil, &arguments, environ)
}
