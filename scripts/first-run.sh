#!/bin/sh
# Sets up and runs the main job on what comes with Debian: two recognizers, human and synthetic voices, five conditions.
# Where PocketSphinx or its sounds cannot be had, it says so and runs the job on recorded transcripts instead.
# usage: sh scripts/first-run.sh [options of `earwitness run`]
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh run
PATH="$PWD/node_modules/.bin:$PATH"

config=examples/first/earwitness.config.yaml
if ! node bin/earwitness.js doctor --json | node -e '
  const { recognizers } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  process.exit(recognizers.some(({ name, ready }) => name === "pocketsphinx" && ready) ? 0 : 1);'; then
  missing="PocketSphinx"
elif [ ! -d /usr/share/pocketsphinx/test/data/librivox ]; then
  missing="Debian's pocketsphinx-testdata"
else
  missing=""
fi
if [ -n "$missing" ]; then
  echo "$missing is not on this machine, so nothing is recognized here (\`node bin/earwitness.js doctor\` says what is missing)." >&2
  echo "The same job runs on recorded transcripts of two invented recognizers instead." >&2
  config=examples/recorded/earwitness.config.yaml
else
  echo "Two recognizers, 25 utterances, 5 conditions: three to four minutes on two cores. Ctrl-C stops; again, and it goes on." >&2
fi
exec node bin/earwitness.js run --config "$config" "$@"
