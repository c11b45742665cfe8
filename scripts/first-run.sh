#!/bin/sh
# Sets up and runs the main job on what comes with Debian: two recognizers, human and synthetic voices, eight conditions.
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh run
PATH="$PWD/node_modules/.bin:$PATH"
exec node bin/earwitness.js run --config examples/first/earwitness.config.yaml "$@"
