# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: the RevueSDK authors
#
# What the gates share. A gate may be given another root than this repository: that is how the self-test plants faults.
set -euo pipefail
gate=$(basename "$0")
cd "${1:-$(dirname "$0")/../..}"
findings=0

# Reports a finding and goes on.
finding() {
    findings=$((findings + 1))
    printf '%s: %s\n' "$gate" "$*" >&2
}

# Ends the gate: the one line that says what was looked at, or failure.
conclude() {
    if [ "$findings" -gt 0 ]; then
        printf '%s: %d finding(s)\n' "$gate" "$findings" >&2
        exit 1
    fi
    printf '%-9s ok: %s\n' "$gate" "$1"
}

# A gate that looked at nothing proves nothing.
require_some() {
    [ "$1" -gt 0 ] || finding "found no $2 to look at; the gate looks in the wrong place"
}

# The Swift files below the given folders that exist.
swift_files() {
    local folder
    for folder in "$@"; do
        [ -d "$folder" ] && find "$folder" -name '*.swift' -not -path '*/.build/*'
    done | LC_ALL=C sort
}

# A file with comments and string literals blanked, line numbers kept.
code_of() {
    sed -E -e 's/"([^"\\]|\\.)*"/""/g' -e 's#//.*$##' "$1"
}
