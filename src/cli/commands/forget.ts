import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { badUsage } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { fitFilesOf } from '../../session/open/fitting.ts';
import { keptSoundFiles, keptSoundsFolder, keptSpeechFile, speechFolder } from '../../session/open/kept-sounds.ts';
import { type Forgotten, forgetSpeaker } from '../../store/parts/forget.ts';
import { folderBeside, isServer } from '../../store/store-place.ts';

import { removeViewFiles } from '../../web/view-files.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { storeFile, storeFlag } from '../options.ts';
import { printJson, printLine } from '../output.ts';

const flags = [
  storeFlag,
  ['--speaker <name>', 'the speaker whose measurements, transcripts and references are removed', { required: true }],
  ['-y, --yes', 'remove without asking first'],
  ['--dry-run', 'only show what would be removed'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `forget --speaker NAME` */
export const forget: CliCommand = {
  examples: ['forget --speaker fvmh0 --dry-run', 'forget --speaker fvmh0', 'forget --speaker fvmh0 --yes --json'],
  notes:
    'Voices are personal data. Shows what will be removed and asks first. Findings stay, without name and words of the person, marked as made before the removal. Recordings, manifests, reports, bundles and exports are your own files: those that the store knows are listed, and stay until you remove them.',
  flags,
  configure(command: Command) {
    command.action(run);
  },
};

async function run({ speaker, store, yes, dryRun, json }: Options): Promise<void> {
  const file = await storeFile(store);
  const speech = speechFolder(file);
  const made = keptSoundsFolder(file);
  let left: readonly string[] = [];
  const forgetting = (only: boolean) =>
    forgetSpeaker(file, speaker, {
      dryRun: only,
      forgottenAtMs: Date.now(),
      cacheFile: (spoken) => keptSpeechFile(speech, spoken),
      madeFiles: (sounds) => [
        ...sounds.flatMap((sound) => keptSoundFiles(made, sound)),
        ...fitFilesOf(made, speaker, sounds),
      ],
      callFiles(trials, configs) {
        const kept = keptOfCalls(join(folderBeside(file), 'jobs'), new Set(trials), configs);
        left = kept.left;
        return kept.files;
      },
    });
  const unreached = async (onlyLook: boolean) =>
    isServer(file) ? await (await import('../../queue/open-queue.ts')).removeLeftAudio(file, onlyLook) : null;
  if (dryRun || !yes) {
    const would = forgetting(true);
    if (dryRun && json) await printJson({ ...would, left } as unknown as Json);
    else await printLine(description(would, left, 'would be removed').join('\n'));
    if (dryRun) return throwIf(await unreached(true));
    if (!(await agreed(speaker))) return printLine('nothing was removed');
  }
  const failure = await unreached(false);
  const forgotten = forgetting(false);
  removeViewFiles(file);
  if (json) await printJson({ ...forgotten, left } as unknown as Json);
  else await printLine(description(forgotten, left, 'removed').join('\n'));
  if (isServer(file) && !json)
    await printLine("the server's own log and copies of it may still hold the person: ask who runs it to replace them");
  throwIf(failure);
}

function throwIf(error: Error | null): void {
  if (error !== null) throw error;
}

async function agreed(speaker: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw badUsage('nothing was removed: stdin is no terminal; confirm with --yes');
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`Forget ${printable(speaker, 60)} for good? [y/N] `)).trim());
  } catch {
    // Ctrl-C and Ctrl-D are no.
    return false;
  } finally {
    asking.close();
  }
}

/**
 * What recognizers kept of calls about trials: notes of jobs, and exchanges that were recorded.
 *
 * @param trials their keys @param configs of the runs, which name the folders of exchanges
 * @returns files, and clips that a call which never ended may have left in a bucket
 */
function keptOfCalls(
  jobs: string,
  trials: ReadonlySet<string>,
  configs: readonly JsonObject[],
): { readonly files: string[]; readonly left: string[] } {
  const jsonIn = (path: string): JsonObject => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
    } catch {
      return {};
    }
  };
  const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  const noted = new Set([...trials].map((trial) => `${sha256(trial)}.json`));
  const paths = namesIn(jobs).flatMap((name) => (noted.has(name) ? [join(jobs, name)] : []));
  const left = paths.flatMap((path) => {
    const { left, uploaded, mark } = jsonIn(path);
    return left === true ? [typeof uploaded === 'string' ? uploaded : `earwitness/${String(mark)}.wav`] : [];
  });
  const folders = new Set(
    configs.flatMap(({ config, baseFolder }) =>
      Object.values((config as JsonObject).recognizers as JsonObject).flatMap((entry) => {
        const { options } = entry as JsonObject;
        const { record } = (options ?? {}) as JsonObject;
        return typeof record === 'string' ? [resolve(String(baseFolder), record)] : [];
      }),
    ),
  );
  const exchanges = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
      .filter((path) => trials.has(String(jsonIn(path).trial))),
  );
  return { files: [...paths, ...exchanges], left };
}

function description(forgotten: Forgotten, left: readonly string[], verb: 'removed' | 'would be removed'): string[] {
  const { utterances, observations, sounds, runs, findings, configs, cached, outputs } = forgotten;
  const kept = verb === 'removed' ? 'stay' : 'would stay';
  return [
    `${verb}: ${counted(utterances, 'utterance')}, ${counted(observations, 'transcript')}, ${counted(sounds, 'clip')}${cached.length > 0 ? `, ${counted(cached.length, 'file')} beside the store` : ''}`,
    ...(findings.kept > 0
      ? [
          `${counted(findings.kept, 'finding')} ${findings.kept === 1 && kept === 'stay' ? 'stays' : kept} without name and words of the person, marked as made before the removal`,
        ]
      : []),
    ...(findings.removed > 0
      ? [`${verb}: ${counted(findings.removed, 'finding')} that cannot be separated from the person`]
      : []),
    ...(runs.length > 0 ? [`in the ${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')}`] : []),
    ...(configs.length > 0
      ? [
          `the stored configs of ${configs.join(', ')} named the person; the name ${verb === 'removed' ? 'is removed' : verb} from them`,
        ]
      : []),
    ...(left.length > 0
      ? [
          'clips that may still lie in a bucket of yours: remove them yourself',
          ...left.map((place) => `  ${printable(place, 300)}`),
        ]
      : []),
    ...(outputs.length > 0
      ? [
          'written from these runs, may show the person, and are your own files:',
          ...outputs.map(({ kind, path }) => `  ${kind}  ${printable(path, 300)}`),
        ]
      : []),
    'recordings, manifests and other copies are your own files: remove them yourself',
  ];
}
