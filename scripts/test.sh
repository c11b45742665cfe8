#!/bin/sh
# Sets up and runs every check: format, lint, types, generated files, dead code, tests.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh test
exec npm run --silent check -- "$@"
