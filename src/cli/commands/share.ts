import { resolve } from 'node:path';
import type { Command } from 'commander';
import { badInput, badUsage } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { clean } from '../../model/trial.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { ClipSource } from '../../report/html/sounds.ts';
import { normalizerOfFinding } from '../../scoring/normalizers/normalizers.ts';
import { attributionText, createLicenceLedger } from '../../session/export/licences.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import { renderHtml } from '../../session/render-html.ts';
import { withClaimExamples } from '../../session/run/claim-examples.ts';
import { excerptKey, excerptsOfRun } from '../../session/run/excerpts.ts';
import { reportOf, runWarnings, withLanguages } from '../../session/stored/report-of.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { noteOutputs } from '../../store/maintenance.ts';
import { openStore } from '../../store/open-store.ts';
import { refuseLicences } from '../../web/folder-refusals.ts';
import { aboutOthers, forOthers, withoutFolders } from '../../web/for-others.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { minSpeakersHelp, namedStore, runStoreFlags, usualMinSpeakers, wholeNumber } from '../options.ts';
import { printJson, printLine, say } from '../output.ts';

/** What an issue or a chat usually takes as one file. */
const maximumBytes = 10_000_000;

const flags = [
  ...runStoreFlags,
  ['--transcripts', 'with references and transcripts'],
  ['--audio', 'with the audio of its examples, as far as it fits into 10 MB'],
  ['--min-speakers <n>', minSpeakersHelp, wholeNumber],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `share FILE [RUN]` */
export const share: CliCommand = {
  examples: ['share result.html', 'share result.html last --transcripts', 'share result.html --audio --min-speakers 1'],
  notes:
    'Writes the report of a finished run as one page of at most 10 MB that needs nothing else: the result table, verdicts, the worst utterances, every table. It is for others, as `view --pages` is: without audio and words unless asked for, without names of speakers, utterances and folders, and without groups of too few. `report --out` writes your own.',
  flags,
  configure(command: Command) {
    command
      .argument('<file>', 'the page, an HTML file')
      .argument('[run]', 'run id, its beginning, or "last"', 'last')
      .action(run);
  },
};

async function run(file: string, wanted: string, options: Options): Promise<void> {
  const { audio = false, transcripts = false, minSpeakers = usualMinSpeakers, json } = options;
  if (!/\.html?$/i.test(file)) {
    throw badUsage(
      `${printable(file)}: expected the name of the page to write, which ends in .html; a run stands behind it: earwitness share result.html ${printable(file)}`,
    );
  }
  const { file: storeFile, find } = await namedStore(options);
  using store = openStore(storeFile, { readonly: true });
  const record = await find(store, wanted);
  const findings = store.findings(record.id);
  if (findings === null) {
    throw badInput(
      `run ${record.id}: expected a finished run, but questions are open; finish it with earwitness resume ${record.id}`,
    );
  }
  // No code that a store names is run.
  const normalizerOf = async (name: string, module: string | null) =>
    module === null ? normalizerOfFinding(name) : null;
  const warnings = minSpeakers > 1 ? [] : runWarnings(store, record.id);
  const report = await withClaimExamples(
    store,
    record,
    reportOf(store, record, findings, warnings, null),
    normalizerOf,
  );
  const made = withLanguages(store, record.id, report);
  const others = await forOthers(store, record, made.findings, { minSpeakers, transcripts, told: () => {} });
  const excerpts = audio ? await excerptsOfRun(store, record, storeFile, made.findings) : null;
  const clips: ClipSource = (utterance, conditionName, draw, startSeconds) =>
    excerpts?.get(excerptKey({ utteranceId: others.original(utterance), conditionName, draw, startSeconds })) ?? null;
  const about = [
    aboutOthers({ audio, transcripts, minSpeakers }, others.withheld, others.left),
    ...(audio ? [attribution(store, record)] : []),
  ];
  const page = renderHtml(
    {
      ...made,
      findings: others.findings.map((one) => ({ ...one, settings: withoutFolders(one.settings) })),
      // Identities name hosts and arguments of programs, and why recognitions failed may name files and people.
      ...(minSpeakers > 1
        ? { recognizers: made.recognizers.map(({ name }) => ({ name, identity: {} })), failures: [] }
        : { recognizers: made.recognizers.map((one) => ({ ...one, identity: withoutFolders(one.identity) })) }),
      timing: {},
    },
    { transcripts, sound: audio, clips, maximumBytes, about: html`${about}` },
  );
  const path = resolve(file);
  await writeWhole(path, page);
  noteOutputs(storeFile, [{ run: record.id, kind: 'export', path }]);
  for (const note of others.notes) say(note);
  const bytes = Buffer.byteLength(page);
  if (json) return printJson({ file, run: record.id, bytes, withheld: others.left });
  await printLine(`run ${record.id} is in ${printable(file)}: one page of ${(bytes / 1024).toFixed(0)} KB`);
}

/** Whose recordings are heard, and that they may be passed on. */
function attribution(store: Store, record: RunRecord): Markup {
  const ledger = createLicenceLedger();
  refuseLicences(store, record, ledger);
  const changed = store.conditions(record.id).some(({ name }) => name !== clean.name);
  return html`<p class="small quiet"><bdi>${attributionText(ledger.declared(), 'Earwitness', changed).replace(/^ATTRIBUTION\s+/, '')}</bdi></p>`;
}
