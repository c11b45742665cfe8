#!/bin/sh
# Sets up and runs the main job on what comes with Debian: two recognizers, human and synthetic voices, five conditions.
# Where PocketSphinx or its sounds cannot be had, it asks a small Whisper instead, which it downloads once; where that cannot be
# had either, it says so and runs the job on recorded transcripts.
# usage: sh scripts/first-run.sh [options of `earwitness run`]
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh run
PATH="$PWD/node_modules/.bin:$PATH"

config=examples/first/earwitness.config.yaml
doctor=$(node bin/earwitness.js doctor --json)
works() {
  printf '%s' "$doctor" | node -e '
  const { recognizers } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  process.exit(recognizers.some(({ name, ready }) => name === process.argv[1] && ready) ? 0 : 1);' "$1"
}
if ! works pocketsphinx; then
  missing="PocketSphinx"
elif [ ! -d /usr/share/pocketsphinx/test/data/librivox ]; then
  missing="Debian's pocketsphinx-testdata"
else
  missing=""
fi
if [ -n "$missing" ]; then
  echo "$missing is not on this machine (\`node bin/earwitness.js doctor\` says what is missing)." >&2
  if works transformers; then
    echo "Whisper tiny is asked instead, about 15 sentences of synthetic voices: downloaded once from huggingface.co, 40 MB." >&2
    status=0
    node bin/earwitness.js run --config examples/whisper/earwitness.config.yaml "$@" || status=$?
    # 3: the model cannot be had. Anything else is the end of the run itself.
    [ "$status" = 3 ] || exit "$status"
  fi
  echo "So nothing is recognized here: the same job runs on recorded transcripts of two invented recognizers." >&2
  config=examples/recorded/earwitness.config.yaml
else
  echo "Two recognizers, 25 utterances, 5 conditions: three to four minutes on two cores. Ctrl-C stops; again, and it goes on." >&2
fi
exec node bin/earwitness.js run --config "$config" "$@"
