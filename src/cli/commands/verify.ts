import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { verifyBundle } from '../../session/evidence/verify-bundle.ts';
import { writeReport } from '../../session/write-report.ts';
import type { CliCommand } from '../command.ts';
import { print, printJson, say } from '../output.ts';
import { verificationText } from '../verification-text.ts';

interface Options {
  readonly plan?: string;
  readonly seal?: string;
  readonly modules?: string;
  readonly out?: string;
  readonly json?: true;
}

/** `verify BUNDLE` */
export const verify: CliCommand = {
  examples: ['verify evidence.jsonl.gz', 'verify evidence.jsonl.gz --out report', 'verify evidence.jsonl.gz --json'],
  notes:
    'Needs neither sounds nor recognizers nor models, and sends nothing. It checks every hash, that the plan was fixed before the first call, that each answer belongs to its question, and computes every finding again from the answers. No code comes from a bundle: normalizers and studies of the user who made it are used only from the folder given, and only where their hash fits. It ends with 10 unless everything was checked and right.',
  configure(command: Command) {
    command
      .argument('<bundle>', 'the file that `earwitness bundle` wrote')
      .option('--plan <hash>', "the plan's hash, as somebody noted it when the run began", hash)
      .option('--seal <hash>', "the seal's hash, as somebody noted it when the bundle was made", hash)
      .option('--modules <folder>', "the maker's own normalizers and studies, in the places that the config names")
      .option('--out <folder>', 'write what was computed again there, as HTML, JSON, Markdown and CSV')
      .action(run);
  },
};

async function run(file: string, { plan, seal, modules, out, json }: Options): Promise<void> {
  const verification = await verifyBundle(file, {
    plan: plan ?? null,
    seal: seal ?? null,
    modules: modules === undefined ? null : resolve(modules),
    on: (what) => say(what),
  });
  const { report, findings, ...rest } = verification;
  const shown = findings.map(({ finding: _finding, ...result }) => result);
  if (json) await printJson({ ...rest, findings: shown } as unknown as Json);
  else await print(verificationText(verification));
  if (out !== undefined && report !== null) {
    const files = await writeReport(report, new Map(), resolve(out), { sound: false, transcripts: true });
    say(`report: ${files.html}`);
  }
  if (out !== undefined && report === null) say('no report: not every finding could be computed again');
  if (verification.verdict === 'not verified') {
    throw new EarwitnessError(
      'not-verified',
      `${file}: not everything is as it was sealed, planned and reported; see above`,
    );
  }
  if (verification.verdict === 'limited') {
    throw new EarwitnessError(
      'not-verified',
      `${file}: nothing is wrong, but not everything could be checked; see above`,
    );
  }
}

/** For commander. */
function hash(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('expected a SHA-256: 64 hexadecimal digits');
  return text.toLowerCase();
}
