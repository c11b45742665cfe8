import type { Command } from 'commander';
import { english } from '../../scoring/normalizers/english/english.ts';
import { readCheckFiles } from '../../session/cases/read-check-files.ts';
import { sameLetters } from '../../studies/differential/verification/judge-verdict.ts';
import { summarizeVerdicts } from '../../studies/differential/verification/summarize-verdicts.ts';
import { verdictsFinding } from '../../studies/differential/verification/verdicts-finding.ts';
import { reportFinding } from '../report-finding.ts';
import { share } from './share.ts';

/** `cases verdicts`: false positives, their kinds and agreement, from the tables that people filled in. */
export function addVerdicts(command: Command): void {
  command
    .command('verdicts')
    .description('read what people filled in: false positives, their kinds, agreement')
    .argument('<files...>', 'check files; several people in one or in several')
    .option('--level <share>', 'confidence level of intervals', share, 0.95)
    .option('--out <folder>', 'also write it there as HTML, JSON, Markdown and CSV')
    .option('--json', 'data as JSON on stdout')
    .action(verdicts);
}

async function verdicts(
  files: readonly string[],
  { level, json, out }: { readonly level: number; readonly json?: true; readonly out?: string },
): Promise<void> {
  const rows = await readCheckFiles(files);
  const spelled = (text: string) => english.words(text).join('');
  const same = (a: string, b: string) => sameLetters(a, b) || spelled(a) === spelled(b);
  const finding = verdictsFinding(summarizeVerdicts(rows, { level, same }), level);
  await reportFinding(finding, files.join(', '), { transcripts: true, ...(json && { json }), ...(out && { out }) });
}
