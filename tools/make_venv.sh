#!/usr/bin/env bash
# Make the virtual environment named by the first argument with the newest suitable Python found. PYTHON names one to use instead.
set -eu
venv=$1
suits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1; }
python=
for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
    if command -v "$candidate" >/dev/null 2>&1 && suits "$candidate"; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "Drums needs Python 3.11, 3.12 or 3.13; none of ${PYTHON:-python3 python3.13 python3.12 python3.11} is one." >&2
    echo "Install one (Debian, Ubuntu: apt install python3 python3-venv; or uv python install 3.12) and name it: make PYTHON=/path/to/python3.12 ..." >&2
    exit 1
fi
echo "making $venv with $("$python" --version) ($(command -v "$python"))"
if ! "$python" -m venv "$venv"; then
    rm -rf "$venv"
    echo "The module venv is incomplete. Debian, Ubuntu: apt install python3-venv" >&2
    exit 1
fi
"$venv/bin/python" -m pip install --quiet --upgrade "pip>=25.1"
