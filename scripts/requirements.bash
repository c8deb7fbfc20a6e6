# What building and running Moot needs, and how to get it. Read by the scripts with `.`.
# shellcheck shell=bash

# The oldest Swift whose package manager understands our Package.swift.
readonly swift_needed_major=6 swift_needed_minor=2

say() { printf '\033[1m==>\033[0m %s\n' "$*" | without_color_if_unwanted >&2; }

# Words stay readable in a log file and for whoever set NO_COLOR.
without_color_if_unwanted() {
    if [ -t 2 ] && [ -z "${NO_COLOR:-}" ]; then cat; else sed $'s/\033\\[[0-9;]*m//g'; fi
}

fail() {
    printf 'error: %s\n' "$1" >&2
    shift
    [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
    exit 1
}

# Puts a usable Swift on PATH, or says how to get one.
require_swift() {
    local swiftly="${SWIFTLY_BIN_DIR:-${HOME:-/root}/.local/share/swiftly/bin}" version major minor
    if ! command -v swift >/dev/null && [ -x "$swiftly/swift" ]; then
        PATH="$swiftly:$PATH"
    fi
    command -v swift >/dev/null || fail_without_swift "Swift is not installed, or not on your PATH."
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail_without_swift "\`swift --version\` does not run here; try it by hand to see why."
    major=${version%%.*}
    minor=${version#*.}
    if [ "$major" -lt "$swift_needed_major" ] ||
        { [ "$major" -eq "$swift_needed_major" ] && [ "$minor" -lt "$swift_needed_minor" ]; }; then
        fail_without_swift "Swift $version is installed, but Moot needs $swift_needed_major.$swift_needed_minor or newer."
    fi
    say "Swift $version found at $(command -v swift)"
}

fail_without_swift() {
    fail "$1" \
        "Install the current Swift with swiftly (https://www.swift.org/install/linux):" \
        "" \
        "  curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz" \
        "  tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init" \
        "" \
        "then open a new terminal and run this again."
}

# Installs, with apt-get, the Debian packages Moot needs and this host lacks.
# Arguments: further packages, each as "command=package" for a command that must be there.
require_packages() {
    local missing=() pair
    command -v git >/dev/null || missing+=(git)
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    has_library libsodium sodium.h || missing+=(libsodium-dev)
    has_library sqlite3 sqlite3.h || missing+=(libsqlite3-dev)
    has_library libqrencode qrencode.h || missing+=(libqrencode-dev)
    has_library dbus-1 dbus-1.0/dbus/dbus.h || missing+=(libdbus-1-dev)
    has_library libjpeg jpeglib.h || missing+=(libjpeg62-turbo-dev)
    has_library libpng png.h || missing+=(libpng-dev)
    has_library tomlplusplus toml++/toml.h || missing+=(libtomlplusplus-dev)
    for pair in "$@"; do
        has_command "${pair%%=*}" || missing+=("${pair#*=}")
    done
    if [ "${#missing[@]}" -eq 0 ]; then
        say "All libraries are installed"
        return
    fi

    local install=(apt-get install -y --no-install-recommends "${missing[@]}") as_root=()
    command -v apt-get >/dev/null ||
        fail "This host lacks: ${missing[*]} (names of Debian packages), and has no apt-get to install them." \
            "Install them with your system's package manager, then run this again."
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null || ! sudo_may_ask; then
            fail "This host lacks: ${missing[*]}; installing them needs root." \
                "Run this as root, then start again:" "" "  apt-get update && ${install[*]}"
        fi
        as_root=(sudo)
    fi
    say "Installing ${missing[*]} (${as_root[*]:+sudo }${install[*]})"
    "${as_root[@]}" apt-get update -q >&2 </dev/null || say "apt-get update failed; trying with the lists that are here"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" >&2 </dev/null ||
        fail "apt-get could not install ${missing[*]}; its reason is above."
}

# With a terminal sudo can ask for the password; without one only a sudo that needs none helps.
sudo_may_ask() {
    [ -t 0 ] || sudo -n true 2>/dev/null
}

# ip and its kind live in /usr/sbin, which is not on every user's PATH.
has_command() {
    PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null
}

has_library() {
    command -v pkg-config >/dev/null && pkg-config --exists "$1" && return
    [ -e "/usr/include/$2" ]
}

# build_tests_in FOLDER: sets how the tests are built, for `build_tests` and for other scripts that build more of it there.
build_tests_in() {
    # Read by Package.swift: our own targets are compiled with every warning an error, other packages are not. The cores are optimized.
    export MOOT_WARNINGS_AS_ERRORS=1 MOOT_OPTIMIZED_CORES=1
    # A fifth less work: whole modules at once, debug information only for the lines of a crash, and no index (see Tests/XCTMain.swift).
    export MOOT_BUILD_FLAGS="--scratch-path $1 --disable-index-store -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
-Xswiftc -disable-batch-mode -Xswiftc -gline-tables-only"
}

# Builds all tests, with the programs that they start. moot-bench is none of them.
build_tests() {
    local flags
    read -ra flags <<<"$MOOT_BUILD_FLAGS"
    swift build --product mootPackageTests "${flags[@]}"
}
