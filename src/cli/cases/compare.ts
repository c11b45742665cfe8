import type { Command } from 'commander';
import { compareCases } from '../../session/cases/compare-cases.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { ReportFlags } from '../print-report.ts';
import { reportFinding } from '../report-finding.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { share } from './share.ts';
import type { CaseFlags } from './tell.ts';

/** `cases compare`: which cases a later run gets right, still gets wrong, or newly fails. */
export function addCompare(command: Command): void {
  addStoreOption(command.command('compare').description('which cases are fixed, still failing, new failures'))
    .argument('<before>', 'a run, RUN:RECOGNIZER, or a folder of exported cases')
    .argument('<after>', 'a run, or RUN:RECOGNIZER')
    .option('-n, --normalizer <name>', 'makes texts comparable: a name, or a module (./mine.ts)', 'crossasr')
    .option('--words <file>', 'words that the later one was given: how often they are heard')
    .option('--level <share>', 'confidence level of intervals and tests', share, 0.95)
    .option('--resamples <n>', 'bootstrap resamples', wholeNumber, 2000)
    .option('--out <folder>', 'also write it there as HTML, JSON, Markdown and CSV')
    .option('--no-transcripts', 'leave out what was said')
    .option('--json', 'data as JSON on stdout')
    .action(compare);
}

interface CompareFlags extends ReportFlags, CaseFlags {
  readonly normalizer: string;
  readonly level: number;
  readonly resamples: number;
  readonly words?: string;
  readonly json?: true;
}

async function compare(before: string, after: string, options: CompareFlags): Promise<void> {
  const { normalizer, level, resamples, words } = options;
  using store = openStore(await storeFile(options.store), { readonly: true });
  const choice = { normalizer, level, resamples, baseFolder: process.cwd(), ...(words !== undefined && { words }) };
  await reportFinding(await compareCases(store, before, after, choice), `${before} and ${after}`, options);
}
