#!/usr/bin/env bash
# Carries what is said in one conversation to another, of the same node or of two nodes of one user.
#
#   examples/bridge/bridge.sh FROM TO
#
# MOOT names the `moot` to use. FROM_HOME and TO_HOME name the homes of the two nodes; without them both are the usual one.
# It is two commands and a pipe: `moot watch --json` prints a line for everything that happens, jq keeps what people wrote,
# and `moot send --lines` sends each line that it reads.
set -euo pipefail

moot=${MOOT:-moot}
from=${1:?"usage: bridge.sh FROM TO"} to=${2:?"usage: bridge.sh FROM TO"}

# A bridge must not carry back what it brought: what its own node sent stays where it is.
me=$(${FROM_HOME:+env MOOT_HOME="$FROM_HOME"} "$moot" whoami --json | jq -r .user)

${FROM_HOME:+env MOOT_HOME="$FROM_HOME"} "$moot" watch "$from" --json |
    jq --unbuffered -r --arg me "$me" '
        select(.type == "message") | .message
        | select(.kind == "text" and .sender != $me and .readability == "open")
        | "\(.sender_name): \(.text | gsub("\n"; " "))"' |
    ${TO_HOME:+env MOOT_HOME="$TO_HOME"} "$moot" send "$to" --lines --quiet
