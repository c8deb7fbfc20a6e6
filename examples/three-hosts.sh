#!/usr/bin/env bash
# Three hosts on one network chat without a server, are cut apart, chat on, and agree again.
#
# The hosts are network namespaces of this machine, joined by a bridge in a namespace of its own: nothing of it is
# visible outside, nothing leaves the machine, and the addresses (10.77.x.0/24) exist only in there.
#
#   examples/three-hosts.sh              watch it; exit status 0 means all three replicas ended equal
#   examples/three-hosts.sh --can-run    say nothing; exit status 0 means this system allows it
#
# MOOT names the `moot` to use; otherwise the one that scripts/up or `swift build` made.
set -euo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
self=$root/examples/three-hosts.sh
PATH="$PATH:/usr/sbin:/sbin"

readonly lan=moot-$$-lan
readonly subnet=10.77.$(($$ % 256))

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    readonly bold=$'\033[1m' green=$'\033[32m' grey=$'\033[90m' red=$'\033[31m' plain=$'\033[0m'
else
    readonly bold="" green="" grey="" red="" plain=""
fi

# --- Words ---

chapter() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
note() { printf '  %s\n' "$*"; }
agrees() { printf '  %s✓%s %s\n' "$green" "$plain" "$*"; }

fail() {
    printf '\n%serror:%s %s\n' "$red" "$plain" "$1" >&2
    shift
    [ $# -eq 0 ] || printf '       %s\n' "$@" >&2
    exit 1
}

# --- A place of our own ---

# Runs this script again where making namespaces is allowed. The network and mount namespaces are private, so that
# even after a kill -9 nothing is left behind once the nodes are gone. Without root, a user namespace does the same.
enter_private_namespaces() {
    local unshare=(unshare --net --mount)
    if ! command -v ip >/dev/null || ! command -v unshare >/dev/null; then
        refuse "this needs the programs ip and unshare: apt-get install iproute2 util-linux"
    fi
    [ "$(id -u)" -eq 0 ] || unshare+=(--user --map-root-user)
    "${unshare[@]}" true 2>/dev/null ||
        refuse "this system lets you make no network namespaces: run it as root (sudo $self), outside a container"
    [ "${1:-}" != --can-run ] || exit 0
    MOOT_THREE_HOSTS_INSIDE=1 exec "${unshare[@]}" "$self" "$@"
}

refuse() {
    [ "${wanted:-}" != --can-run ] || exit 77
    printf 'error: %s\n' "$1" >&2
    exit 77
}

find_moot() {
    local candidate
    for candidate in "${MOOT:-}" "$root/.build/release/moot" "$root/.build/debug/moot"; do
        if [ -n "$candidate" ] && [ -x "$candidate" ]; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    fail "there is no moot yet" "Build it first: scripts/up (or: swift build --product moot)"
}

# --- Hosts ---

declare -A pid_of=()

# make_network: a bridge, in its own namespace so that no firewall or address of the host plays a part.
make_network() {
    mount -t tmpfs moot-run /run
    mkdir -p /run/netns
    ip netns add "$lan"
    ip -n "$lan" link add bridge type bridge stp_state 0 forward_delay 0
    ip -n "$lan" link set bridge up
}

# add_host NAME NUMBER: a host with one network card, plugged into the bridge.
add_host() {
    local host=moot-$$-$1
    ip netns add "$host"
    ip -n "$host" link set lo up
    ip -n "$lan" link add "$1" type veth peer name eth0 netns "$host"
    ip -n "$host" address add "$subnet.$2/24" broadcast + dev eth0
    ip -n "$host" link set eth0 up
    ip -n "$lan" link set "$1" master bridge
    ip -n "$lan" link set "$1" up
    mkdir -m 700 "$homes/$1"
}

# start_node NAME
start_node() {
    ip netns exec "moot-$$-$1" env MOOT_HOME="$homes/$1" "$moot" up --name "$1" --web off \
        >"$homes/$1.out" 2>"$homes/$1.log" </dev/null &
    pid_of[$1]=$!
}

# on NAME ARGUMENT…: runs moot as that person and shows the command and what it printed.
on() {
    local name=$1 shown=moot argument
    shift
    for argument in "$@"; do
        case "$argument" in
        *[!A-Za-z0-9_./:-]* | "") shown+=" \"$argument\"" ;;
        *) shown+=" $argument" ;;
        esac
    done
    printf '  %s%-6s$%s %s%s%s\n' "$grey" "$name" "$plain" "$bold" "$shown" "$plain"
    quietly_on "$name" "$@" 2>&1 </dev/null | sed 's/^/          /'
}

# quietly_on NAME ARGUMENT…: the same without showing anything.
quietly_on() {
    local name=$1
    shift
    ip netns exec "moot-$$-$name" env MOOT_HOME="$homes/$name" "$moot" "$@"
}

# --- Waiting: always for something, never for a time ---

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# wait_until SECONDS WHAT CONDITION…: tries the condition until it holds; says how long that took.
wait_until() {
    local seconds=$1 what=$2 began
    shift 2
    began=$(milliseconds)
    until "$@" 2>/dev/null; do
        nodes_are_running
        [ $(($(milliseconds) - began)) -lt $((seconds * 1000)) ] ||
            fail "after $seconds seconds still not: $what" "$(last_words)"
        sleep 0.05
    done
    agrees "$what ($(($(milliseconds) - began)) ms)"
}

nodes_are_running() {
    local name
    for name in "${!pid_of[@]}"; do
        kill -0 "${pid_of[$name]}" 2>/dev/null || fail "$name's node ended by itself" "$(last_words)"
    done
}

last_words() {
    local name
    for name in Alice Bob Carol; do
        [ -e "$homes/$name.log" ] || continue
        printf '\n--- the end of %s.log\n' "$name"
        tail -n 15 "$homes/$name.log"
    done
}

is_ready() { quietly_on "$1" status --json >/dev/null; }

# mentions HOST COMMAND NAME…: what the command prints as JSON has each of the names.
mentions() {
    local host=$1 command=$2 printed name
    shift 2
    printed=$(quietly_on "$host" "$command" --json) || return
    for name in "$@"; do
        grep -Eq "\"(name|title)\" ?: ?\"$name\"" <<<"$printed" || return
    done
}

# counts_peers HOST NUMBER: that many peers are connected.
counts_peers() {
    local printed
    printed=$(quietly_on "$1" peers --json) || return
    [ "$(grep -Eo '"device" ?:' <<<"$printed" | wc -l)" -eq "$2" ]
}

# say_on NAME TEXT: sends a message and remembers that it was sent.
say_on() {
    printf '"text":"%s"\n' "$2" >>"$homes/sent"
    on "$1" send Ship "$2"
}

# texts HOST: the messages we sent, as that host shows them and in its order. (What a node says by itself, such as
# "You were added to this group", is not the same for everybody.)
texts() {
    quietly_on "$1" read Ship --limit 1000 --json | grep -Eo '"text" ?: ?"(\\.|[^"\\])*"' |
        sed -E 's/^"text" ?: ?/"text":/' |
        grep -Fxf "$homes/sent"
}

# digest HOST: what its replica holds, both lanes, as a hash. Equal digests, equal replicas.
digest() { quietly_on "$1" verify --json | grep -Eo '"digest" ?: ?"[0-9a-f]+"' | grep -Eo '[0-9a-f]{16,}'; }

# members HOST: who is in the group and what they may do.
members() { quietly_on "$1" info Ship --json | grep -Eo '"(user|name|role)" ?: ?"(\\.|[^"\\])*"' | sort -u; }

replica() { digest "$1" && texts "$1" && members "$1"; }

has_text() { quietly_on "$1" read Ship --limit 1000 --json | grep -Fq "$2"; }

are_equal() {
    local first second third
    first=$(replica Alice) && second=$(replica Bob) && third=$(replica Carol) || return
    [ "$first" = "$second" ] && [ "$second" = "$third" ]
}

# --- The end ---

clean_up() {
    local name
    trap - EXIT INT TERM
    for name in "${!pid_of[@]}"; do
        kill -TERM "${pid_of[$name]}" 2>/dev/null || true
    done
    for name in "${!pid_of[@]}"; do
        stop_within_five_seconds "${pid_of[$name]}"
    done
    for name in Alice Bob Carol lan; do
        ip netns delete "moot-$$-$name" 2>/dev/null || true
    done
    rm -rf -- "$homes"
}

stop_within_five_seconds() {
    local tries=0
    while kill -0 "$1" 2>/dev/null; do
        tries=$((tries + 1))
        if [ "$tries" -gt 100 ]; then
            kill -KILL "$1" 2>/dev/null || true
            return
        fi
        sleep 0.05
    done
}

# --- The story ---

tell() {
    chapter "1. Three hosts, one bridge, no server"
    make_network
    local number=0 name
    for name in Alice Bob Carol; do
        number=$((number + 1))
        add_host "$name" "$number"
        note "$name: a network namespace with the address $subnet.$number"
    done
    for name in Alice Bob Carol; do start_node "$name"; done
    for name in Alice Bob Carol; do wait_until 20 "$name's node is ready" is_ready "$name"; done

    chapter "2. They find each other: every node calls out on the network, nobody typed an address"
    wait_until 30 "Alice sees Bob and Carol" mentions Alice people Bob Carol
    wait_until 30 "Bob sees Alice and Carol" mentions Bob people Alice Carol
    wait_until 30 "Carol sees Alice and Bob" mentions Carol people Alice Bob
    on Alice people

    chapter "3. Alice makes a group and they chat"
    on Alice create Ship Bob Carol
    wait_until 20 "Bob has the group" mentions Bob list Ship
    wait_until 20 "Carol has the group" mentions Carol list Ship
    say_on Alice "Welcome aboard!"
    wait_until 20 "Bob can read it" has_text Bob "Welcome aboard!"
    wait_until 20 "Carol can read it" has_text Carol "Welcome aboard!"
    say_on Bob "Engines are warm."
    say_on Carol "Charts are on the table."
    wait_until 20 "all three replicas are equal" are_equal

    chapter "4. Carol's cable is pulled"
    ip -n "$lan" link set Carol down
    wait_until 20 "Alice has noticed: one peer is left" counts_peers Alice 1
    wait_until 20 "Carol has noticed: no peer is left" counts_peers Carol 0

    chapter "5. Both sides chat on; each node has everything it needs"
    say_on Alice "Carol, can you hear us?"
    say_on Bob "Not a word from them."
    say_on Carol "Anybody there?"
    say_on Carol "I go on writing the log alone."
    on Alice read Ship
    on Carol read Ship
    if are_equal; then fail "the replicas are equal although the network is cut: what cut it?"; fi
    note "The two sides now differ, as they must."

    chapter "6. The cable is back"
    ip -n "$lan" link set Carol up
    wait_until 60 "all three replicas are equal again" are_equal
    has_text Carol "Not a word from them." || fail "Carol lacks what Bob wrote meanwhile"
    has_text Bob "I go on writing the log alone." || fail "Bob lacks what Carol wrote meanwhile"

    chapter "7. See for yourself"
    on Carol read Ship
    on Alice verify
    for name in Alice Bob Carol; do
        note "$(printf '%-6s' "$name") $(texts "$name" | wc -l) messages in the same order; digest of the replica: $(digest "$name")"
    done
    are_equal || fail "the replicas differ"
    printf '\n%sAll three replicas are equal, and no server was there.%s\n' "$bold$green" "$plain"
}

wanted=${1:-}
case "$wanted" in
"" | --can-run) ;;
*)
    printf 'usage: %s [--can-run]\n' "$0" >&2
    exit 64
    ;;
esac
if [ -z "${MOOT_THREE_HOSTS_INSIDE:-}" ]; then
    enter_private_namespaces "$@"
fi
moot=$(find_moot)
homes=$(mktemp -d "${TMPDIR:-/tmp}/moot-three-hosts.XXXXXX")
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
tell
