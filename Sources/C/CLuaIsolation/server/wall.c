// The wall around a process that runs scripts: it keeps its memory, one socket, the clock and its
// own threads. Any other system call ends it.

#define _GNU_SOURCE
#include "server/server.h"

#if defined(__linux__)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// MARK: Limits

static bool limit(int resource, rlim_t most) {
    struct rlimit r = {most, most};
    return setrlimit(resource, &r) == 0;
}

// The address space in use, in bytes; 0: unknown.
static size_t address_space(void) {
    char text[64] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL) return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    return strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool limit_resources(size_t used, size_t memory) {
    size_t room;
    bool fine = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 0)
        && limit(RLIMIT_NPROC, 0) && limit(RLIMIT_MEMLOCK, 0) && limit(RLIMIT_MSGQUEUE, 0);
    if (__builtin_add_overflow(used, memory, &room)) return fine;
    return limit(RLIMIT_AS, room) && fine;
}

// MARK: Landlock; with numbers, since the headers may be older than the kernel

static void lock_land(void) {
    enum { CREATE_RULESET = 444, RESTRICT_SELF = 446, ASK_VERSION = 1 };
    struct {
        uint64_t files, net, scopes;
    } handled = {0, 0, 0};
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1) return;
    // 13 rights at first; later versions add refer, truncate and ioctl.
    handled.files = (1ull << 13) - 1;
    if (version >= 2) handled.files |= 1ull << 13;
    if (version >= 3) handled.files |= 1ull << 14;
    if (version >= 5) handled.files |= 1ull << 15;
    if (version >= 4) handled.net = 3;
    if (version >= 6) handled.scopes = 3;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    long rules = syscall(CREATE_RULESET, &handled, size, 0);
    if (rules < 0) return;
    syscall(RESTRICT_SELF, rules, 0);
    close((int)rules);
}

// MARK: The filter

#if defined(OUR_ARCHITECTURE)

enum { LONGEST_FILTER = 128 };

typedef struct {
    struct sock_filter lines[LONGEST_FILTER];
    unsigned short count;
} filter;

static void add(filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
    if (f->count < LONGEST_FILTER) f->lines[f->count++] = (struct sock_filter){code, yes, no, k};
}

static void load(filter *f, size_t offset) {
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void allow(filter *f, long number) {
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

// The lower half of an argument. For the checked arguments the kernel ignores the upper half.
static size_t argument(int index) {
    return offsetof(struct seccomp_data, args) + 8 * (size_t)index
        + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);
}

// Allows a call if an argument has this value.
static void allow_with(filter *f, long number, int index, uint32_t value) {
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
    load(f, argument(index));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

// Allows a call if an argument has all of some bits and none of others.
static void allow_memory(filter *f, long number, uint32_t flags) {
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, flags == 0 ? 4 : 7);
    load(f, argument(2));
    add(f, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, flags == 0 ? 1 : 4, 0);
    if (flags != 0) {
        load(f, argument(3));
        add(f, BPF_ALU | BPF_AND | BPF_K, flags, 0, 0);
        add(f, BPF_JMP | BPF_JEQ | BPF_K, flags, 0, 1);
    }
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

static const long harmless[] = {
    __NR_futex,          // for the watchdog's naps
    __NR_clock_gettime, __NR_clock_nanosleep, __NR_gettimeofday,
    __NR_rt_sigreturn, __NR_rt_sigprocmask, __NR_restart_syscall,
    __NR_getpid, __NR_gettid, __NR_sched_yield,
    __NR_brk, __NR_munmap, __NR_mremap, __NR_madvise,
    __NR_exit, __NR_exit_group,
    __NR_getrandom,      // for malloc, once
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
    __NR_sigaltstack,    // the sanitizer asks for the stack whenever a jump leaves frames
#endif
#endif
};

static bool filter_calls(int socket) {
    filter f = {.count = 0};
    load(&f, offsetof(struct seccomp_data, arch));
    add(&f, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCHITECTURE, 1, 0);
    add(&f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(&f, offsetof(struct seccomp_data, nr));
    allow_with(&f, __NR_recvfrom, 0, (uint32_t)socket);
    // A call that gets here has another number; the others were allowed or ended the process.
    allow_with(&f, __NR_sendto, 0, (uint32_t)socket);
    allow_with(&f, __NR_tgkill, 0, (uint32_t)getpid());
    allow_memory(&f, __NR_mmap, MAP_PRIVATE | MAP_ANONYMOUS);
    allow_memory(&f, __NR_mprotect, 0);
    for (int i = 0; i < COUNT_OF(harmless); i++) allow(&f, harmless[i]);
    add(&f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    struct sock_fprog program = {f.count, f.lines};
    // Applies to all threads, including the watchdog.
    return f.count < LONGEST_FILTER
        && syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

static bool filter_calls(int socket) {
    (void)socket;
    return false;
}

#endif

const char *lb_wall_raise(int socket, size_t memory) {
    size_t used = address_space();
    if (used == 0) return "the size of the process is not known (/proc)";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "the kernel does not know no_new_privs";
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "the process cannot be closed to debuggers";
    lock_land();
    // Threads inherit the restrictions made so far; after this, no thread can be created.
    if (!lb_watch_start()) return "there is no thread for the time limit";
    if (!limit_resources(used, memory)) return "the limits of the process cannot be set";
    if (!filter_calls(socket)) return "the kernel offers no filter of system calls (seccomp)";
    return NULL;
}

#endif
