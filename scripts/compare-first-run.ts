// Compares what `npm run first-run` printed with what the README shows of it; seconds, run ids and folders may differ.
//
//   npm run --silent first-run > printed.txt; node scripts/compare-first-run.ts printed.txt
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, missingLine } from './documents.ts';

const [file = ''] = process.argv.slice(2);
const printed = readFileSync(file, 'utf8').replaceAll(`${join(import.meta.dirname, '..')}/`, '');
const shown = blocksOf('README.md').find(({ remark }) => remark?.value.includes('npm run first-run'));
const missing = shown === undefined ? 'a block that names `npm run first-run`' : missingLine(shown.text, printed);
if (missing !== null) {
  console.error(`README.md: not in what npm run first-run printed: ${missing}\n\n${printed}`);
  process.exitCode = 1;
}
