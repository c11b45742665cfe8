#!/bin/sh
# Makes the tables of this folder: two sentences, spoken by 22 synthetic voices of flite, festival and espeak-ng, and what Whisper
# base (int8, transformers.js' layout) and Debian's PocketSphinx wrote of them, clean and in two conditions: 264 recognitions.
# usage: sh examples/recorded/make.sh MODEL_FOLDER
set -eu
model=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
PATH="$root/node_modules/.bin:$PATH"
earwitness() { node "$root/bin/earwitness.js" "$@"; }
work=$(mktemp -d)
cd "$work"
printf 'id\tpath\tspeaker\taccent\tsynthesizer\treference\n' > utterances.tsv
say() { # accent, synthesizer, voice, name of the speaker
  n=0
  for text in 'the train to the city leaves at seven' 'my sister sold her old car to a farmer'; do
    n=$((n + 1))
    earwitness speak "$text" --synthesizer "$2" --voice "$3" --output "$4-$n.wav"
    printf '%s\t%s.wav\t%s\t%s\t%s\t%s\n' "$4-$n" "$4-$n" "$4" "$1" "${2%%:*}" "$text" >> utterances.tsv
  done
}
for voice in slt rms kal kal16; do say american flite $voice flite-$voice; done
say british flite awb flite-awb
say american festival kal_diphone festival-kal
for voice in en-us en-us-nyc; do
  for pitch in 30 50 70; do say american espeak-ng:pitch=$pitch $voice espeak-$voice-$pitch; done
done
for voice in en-gb en-gb-scotland en-gb-x-gbclan en-gb-x-gbcwmd en-gb-x-rp; do
  for pitch in 30 70; do say british espeak-ng:pitch=$pitch $voice espeak-$voice-$pitch; done
done
cat > earwitness.config.yaml <<CONFIG
corpus: { type: manifest, file: utterances.tsv, language: en }
recognizers:
  whisper-base: { type: transformers, model: $model, dtype: q8 }
  pocketsphinx: { type: pocketsphinx }
studies: [{ type: robustness, conditions: [aequevox/noise:1, earwitness/telephone:4] }]
CONFIG
earwitness run
earwitness bundle
node "$root/examples/recorded/transcripts-of-bundle.ts" evidence.jsonl.gz
# Nobody has the sounds, and nobody needs them.
cut -f 1,3- utterances.tsv > "$root/examples/recorded/utterances.tsv"
cp whisper-base.tsv pocketsphinx.tsv "$root/examples/recorded/"
# The same on clean audio as many programs write it: references and transcripts of one model in a file.
node --input-type=module - "$root/examples/recorded" << 'LINES'
import { readFileSync, writeFileSync } from 'node:fs';
const [, , folder] = process.argv;
const rows = (name) => readFileSync(`${folder}/${name}.tsv`, 'utf8').trim().split('\n').slice(1).map((line) => line.split('\t'));
for (const model of ['whisper-base', 'pocketsphinx']) {
  const heard = new Map(rows(model).filter(([, condition]) => condition === 'clean').map(([id, , text]) => [id, text]));
  const lines = rows('utterances').map(([id, speaker, accent, , text]) => JSON.stringify({ id, speaker, accent, text, pred_text: heard.get(id) }));
  writeFileSync(`${folder}/${model}.jsonl`, `${lines.join('\n')}\n`);
}
LINES
rm -r "$work"
