#!/usr/bin/env bash
# Run the MCP inspector's command line, pinned, from .cache; exit status 69 where there is no npm.
set -eu
version=2.12.0
home=$(dirname "$0")/../.cache/mcp-inspector-$version
if ! command -v npm >/dev/null 2>&1; then
    echo "the MCP inspector needs Node.js 20 with npm, which is not on PATH" >&2
    exit 69
fi
if [ ! -x "$home/node_modules/.bin/mcp-inspector" ]; then
    mkdir -p "$home"
    npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$home" "@modelcontextprotocol/inspector@$version" >&2
fi
exec "$home/node_modules/.bin/mcp-inspector" "$@"
