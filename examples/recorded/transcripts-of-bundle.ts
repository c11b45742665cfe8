// Writes what recognizers wrote in a run, from its bundle, as tables that the recognizer `recorded` reads: NAME.tsv for each.
//
//   node transcripts-of-bundle.ts evidence.jsonl.gz
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

interface Line {
  readonly part: string;
  readonly recognizers: readonly { readonly name: string }[];
  readonly utterance: { readonly id: string } & number;
  readonly condition: { readonly name: string } & number;
  readonly recognizer: number;
  readonly observation: { readonly transcript?: { readonly text: string } };
}

const [bundle = 'evidence.jsonl.gz'] = process.argv.slice(2);
const lines = gunzipSync(readFileSync(bundle)).toString().trimEnd().split('\n');
const parts = Map.groupBy(
  lines.map((line) => JSON.parse(line) as Line),
  ({ part }) => part,
);
const of = (part: string) => parts.get(part) ?? [];
const names = of('run')[0]!.recognizers.map(({ name }) => name);
for (const [index, name] of names.entries()) {
  const rows = of('answer')
    .filter(({ recognizer }) => recognizer === index)
    .map(({ utterance, condition, observation }) =>
      [
        of('utterance')[utterance]!.utterance.id,
        of('condition')[condition]!.condition.name,
        observation.transcript?.text ?? '',
      ].join('\t'),
    );
  writeFileSync(`${name}.tsv`, `${['utterance\tcondition\ttext', ...rows].join('\n')}\n`);
}
