#!/bin/sh
# Sets up and runs the main job twice: on recorded transcripts, which takes a second, and on what comes with Debian and npm: two
# recognizers, human and synthetic voices, noise. Where PocketSphinx or its sounds cannot be had, it asks a small Whisper
# instead, which it downloads once; where that cannot be had either, it says so.
# usage: sh scripts/first-run.sh [options of `earwitness run`, such as --open]
set -eu
cd "$(dirname "$0")/.."
sh scripts/setup.sh npm
PATH="$PWD/node_modules/.bin:$PATH"
earwitness() { node bin/earwitness.js "$@"; }

echo "First, two recognizers on 44 recordings, from tables of their transcripts; nothing is recognized."
echo
earwitness run --config examples/recorded/earwitness.config.yaml
echo
sh scripts/setup.sh run
doctor=$(earwitness doctor --json)
works() {
  printf '%s' "$doctor" | node -e '
  const { recognizers } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  process.exit(recognizers.some(({ name, ready }) => name === process.argv[1] && ready) ? 0 : 1);' "$1"
}
own() {
  echo
  echo "Your own recordings: node bin/earwitness.js init FOLDER, then node bin/earwitness.js run"
}
if ! works pocketsphinx; then
  missing="PocketSphinx"
elif [ ! -d /usr/share/pocketsphinx/test/data/librivox ]; then
  missing="Debian's pocketsphinx-testdata"
else
  echo "Now two recognizers that run here, in about three minutes on two cores that do nothing else; how long it takes here,"
echo "the run itself says and corrects. Ctrl-C stops; run it again to continue."
  echo
  earwitness run --config examples/first/earwitness.config.yaml "$@"
  own
  exit 0
fi
echo "$missing is not on this machine (\`node bin/earwitness.js doctor\` says what is missing)." >&2
if works transformers; then
  echo "Whisper tiny is used instead, on 15 sentences of synthetic voices; it is downloaded once from huggingface.co, 40 MB." >&2
  status=0
  earwitness run --config examples/whisper/earwitness.config.yaml "$@" || status=$?
  # 3: the model cannot be had. Anything else is the end of the run itself.
  if [ "$status" != 3 ]; then
    [ "$status" = 0 ] && own
    exit "$status"
  fi
fi
echo "No recognizer works here yet: the results above are from recorded transcripts." >&2
own
