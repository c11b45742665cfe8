import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../conformance.ts';

const stored = fileURLToPath(new URL('../../../../shared/data/asr-outputs/artie-bias', import.meta.url));
const name = 'artie-bias-corpus.tsv';

/**
 * The list of the Artie Bias Corpus where it stands beside the repository, else one of its form with people who are invented; and how
 * often each value stands in a column, as cut, sort and uniq count it.
 */
export async function artieList() {
  const real = existsSync(join(stored, name));
  const tree = await temporaryFolder(real ? {} : { [name]: inventedList() });
  const folder = real ? stored : tree.path;
  const counts = (column: string) => columnCounts(join(folder, name), column);
  return { real, folder, name, counts, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
}

function inventedList(): string {
  const cycle = (values: readonly string[], index: number) => values[index % values.length]!;
  const rows = Array.from({ length: 700 }, (_, index) => [
    `client${(index * index) % 311}`,
    `common_voice_en_${17_000 + index}.mp3`,
    cycle(['Plain words.', '"Quoted," she said.', 'He said "no', "Don't\u2026 go", 'Número 5'], index),
    '2',
    '0',
    cycle(['twenties', 'NA', 'teens', 'fourties', 'sixties', 'twenties', 'thirties'], index),
    cycle(['male', 'female', 'male', 'other', 'NA', 'male'], index),
    cycle(['us', 'NA', 'england', 'indian', 'african'], Math.floor(index / 3)),
  ]);
  const header = 'client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccent';
  return `${[header, ...rows.map((row) => row.join('\t'))].join('\n')}\n`;
}

/** For `skip`: the programs that count are here. */
export const needsCut = { skip: spawnSync('sort', ['--version']).status !== 0 && 'cut, sort and uniq are not here' };

/** How often each value stands in a column of a list with tabs, as cut, sort and uniq count it. */
export function columnCounts(path: string, column: string): ReadonlyMap<string, number> {
  const [header = ''] = readFileSync(path, 'utf8').split('\n', 1);
  const command = `tail -n +2 "$0" | cut -f${header.split('\t').indexOf(column) + 1} | LC_ALL=C sort | uniq -c`;
  const lines = execFileSync('sh', ['-c', command, path], { encoding: 'utf8' }).trimEnd().split('\n');
  return new Map(lines.map((line) => [line.trimStart().replace(/^\d+ /, ''), Number.parseInt(line, 10)]));
}
