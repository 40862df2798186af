#!/usr/bin/env bash
# Looks at the pages' scripts: format (prettier), faults (eslint), types (tsc, by JSDoc and our own OpenAPI document),
# and runs their unit tests (node's own runner).
# The tools are those of package-lock.json. Without node the scripts stay unchecked, which is told; in CI that is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null; then
    echo "JavaScript was not checked: that takes node 18 or newer and npm (Debian: apt install nodejs npm)." >&2
    [ -z "${CI:-}" ]
    exit
fi

# Quick when nothing changed since the last call.
installed=node_modules/.installed-lock
cmp -s package-lock.json "$installed" || { npm ci --silent && cp package-lock.json "$installed"; }

mkdir -p out
.venv/bin/python -c 'import json; from webapp.http.api.openapi import document; print(json.dumps(document()))' >out/openapi.json
npm run --silent types >/dev/null
npm run --silent check
npm run --silent test
