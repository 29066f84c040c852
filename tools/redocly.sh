#!/usr/bin/env bash
# Run redocly's command line, pinned by the first argument, from .cache; says so and does nothing where there is no npm.
set -eu
version=$1
shift
home=$(dirname "$0")/../.cache/redocly-$version
if ! command -v npm >/dev/null 2>&1; then
    echo "skipped: redocly $1 needs Node.js 20 with npm, which is not on PATH. The other spec checks ran."
    exit 0
fi
if [ ! -x "$home/node_modules/.bin/redocly" ]; then
    mkdir -p "$home"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$home" "@redocly/cli@$version"
fi
exec "$home/node_modules/.bin/redocly" "$@"
