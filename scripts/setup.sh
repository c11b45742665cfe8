#!/bin/sh
# Installs what is missing: npm packages (which bring their own Node.js) and, on Debian and its kin, the engines.
# usage: sh scripts/setup.sh npm|run|test    (npm: the packages alone)
set -eu
cd "$(dirname "$0")/.."

engines="libpocketsphinx3 pocketsphinx-en-us pocketsphinx-testdata"
programs="pocketsphinx sox libsox-fmt-all ffmpeg espeak-ng festival festvox-kallpc16k chromium postgresql slurm-wlm munge"
[ "${1:-run}" = test ] && wanted="$engines $programs" || wanted="$engines"

stamp=node_modules/.package-lock.json
if [ ! -f "$stamp" ] || [ package-lock.json -nt "$stamp" ]; then
  echo "installing npm packages" >&2
  # npm leaves an optional package out without a word where its script fails, and that of onnxruntime-node fetches files for
  # graphics cards, which not every machine can reach.
  export ONNXRUNTIME_NODE_INSTALL=skip ONNXRUNTIME_NODE_INSTALL_CUDA=skip
  # Without install scripts: every package brings its binaries ready made. Node.js alone needs its script.
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  npm rebuild node --loglevel=error >&2
  touch "$stamp"
fi

# What a build makes and nobody commits.
[ -f schema/earwitness.schema.json ] || node_modules/.bin/node scripts/generate-catalog.ts --check >&2

[ "${1:-run}" = npm ] && exit 0

# A linter of workflows, which is a Go program and on no other registry that everybody reaches.
if [ "${1:-run}" = test ] && command -v go >/dev/null && [ ! -x node_modules/.bin/actionlint ]; then
  echo "installing actionlint" >&2
  GOBIN="$PWD/node_modules/.bin" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 2>/dev/null ||
    echo "go could not install actionlint. Everything else goes on." >&2
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This system has no Debian packages, so PocketSphinx is not installed here: $engines. Everything else goes on." >&2
  exit 0
fi
missing=""
for package in $wanted; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ]; then as_root=""
elif command -v sudo >/dev/null; then as_root="sudo"
else
  echo "These packages are missing, and this needs root or sudo to install them:$missing. Everything else goes on." >&2
  exit 0
fi
echo "installing$missing" >&2
install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1; }
install || { $as_root apt-get update -qq >/dev/null && install; } || {
  echo "apt-get could not install$missing. Everything else goes on." >&2
}
