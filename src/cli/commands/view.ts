import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { badInput, badUsage } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { noteOutputs } from '../../store/maintenance.ts';
import { openStore } from '../../store/open-store.ts';
import { refuseOtherFolder } from '../../web/folder-refusals.ts';
import { serveRuns } from '../../web/serve.ts';
import { answeredIn } from '../../web/stored-run.ts';
import { writeFolderApart } from '../../web/threads.ts';
import { writeFolder } from '../../web/write-folder.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import {
  minSpeakersHelp,
  namedStore,
  naturalNumber,
  requirePort,
  runStoreFlags,
  usualMinSpeakers,
  wholeNumber,
} from '../options.ts';
import { printJson, printLine, say } from '../output.ts';
import { createCountingLine } from '../progress/lines.ts';

const flags = [
  ...runStoreFlags,
  ['--port <n>', 'port to listen on; 0: any that is free', { read: naturalNumber, default: 0 }],
  ['--no-audio', 'make no audio'],
  ['--pages <folder>', 'write finished runs as pages into a folder, for any web host or to open as files'],
  ['--audio', 'with --pages: write the audio of every clip too'],
  ['--transcripts', 'with --pages: write references and transcripts too'],
  ['--min-speakers <n>', `with --pages: ${minSpeakersHelp}`, wholeNumber],
  ['--open', 'open the link in the browser of this machine'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** Pages of more trials are written by a process of their own. */
const writtenHere = 10_000;
/** `view [RUN]` */
export const view: CliCommand = {
  examples: ['view', 'view last --port 7700', 'view --no-audio', 'view last --pages pages --transcripts'],
  notes:
    'Shows the runs of the store in the browser: findings, every trial with filters and search, words aligned under the reference, and audio before and after. It listens on this machine alone; the link works once. Ctrl-C ends it. With --pages it writes the same pages into a folder that needs no server: without audio and words unless asked for, without names of speakers, and without groups of too few.',
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run to begin with: its id, its beginning, or "last"').action(run);
  },
};

async function run(wanted: string | undefined, options: Options): Promise<void> {
  const { port, audio, pages, transcripts, minSpeakers, open, json } = options;
  requirePort(port);
  if (pages === undefined && (transcripts || minSpeakers !== undefined)) {
    throw badUsage(
      `${transcripts ? '--transcripts' : '--min-speakers'} says what a folder of pages holds; name the folder with --pages`,
    );
  }
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const named = wanted === undefined ? null : await find(store, wanted);
  if (pages !== undefined) return await writePages(store, file, named, { ...options, pages });
  // An export of a million trials is short-lived garbage: V8 would rather grow by a hundred megabytes than collect it.
  setFlagsFromString('--semi-space-growth-factor=1');
  const first = named === null ? '/runs' : `/runs/${named.id}`;
  // From where scoring begins: it may have waited for something else.
  let line: ReturnType<typeof createCountingLine> | null = null;
  const scored = (done: number, of: number) => {
    line ??= createCountingLine(process.stderr, 'trials scored for the first time');
    if (done < of) return line.done(done, of);
    line.clear();
    line = null;
  };
  await using serving = await serveRuns({ store, storeFile: file, port, audio: audio !== false, first, scored });
  const { link } = serving;
  if (json) await printJson({ link, origin: serving.origin });
  else await printLine(`${link}\nOpen it in a browser of this machine; it works once. Ctrl-C ends it.`);
  if (open)
    spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [link], { stdio: 'ignore', detached: true })
      .on('error', () => {})
      .unref();
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

async function writePages(
  store: Store,
  storeFile: string,
  named: RunRecord | null,
  {
    pages: folder,
    audio = false,
    transcripts,
    minSpeakers = usualMinSpeakers,
    json,
  }: Options & { readonly pages: string },
): Promise<void> {
  const asked = named === null ? store.runs() : [named];
  const runs = asked.filter(({ finishedAtMs }) => finishedAtMs !== null);
  if (runs.length === 0) {
    throw badInput(
      named === null
        ? 'expected finished runs to write, but the store has none; finish one with earwitness resume'
        : `run ${named.id}: expected a finished run, but questions are open; finish it with earwitness resume ${named.id}`,
    );
  }
  if (runs.length < asked.length) say(`unfinished runs are left out: ${asked.length - runs.length}`);
  refuseOtherFolder(resolve(folder));
  if (existsSync(resolve(folder)) && readdirSync(resolve(folder)).length > 0)
    say(`${printable(folder, 200)}: the pages that are there are replaced`);
  const outputs = runs.map(({ id }) => ({ run: id, kind: 'export', path: resolve(folder) }) as const);
  noteOutputs(storeFile, outputs, false);
  const lines = new Map<string, ReturnType<typeof createCountingLine>>();
  const trials = runs.reduce((sum, { id }) => sum + answeredIn(store, id), 0);
  const write = trials > writtenHere ? writeFolderApart : writeFolder;
  const written = await write({
    ...{ store, storeFile, runs, folder, audio, minSpeakers, transcripts: transcripts === true },
    tell(what, done, of) {
      const line = lines.get(what) ?? createCountingLine(process.stderr, what);
      lines.set(what, line);
      line.done(done, of);
    },
  });
  for (const line of lines.values()) line.clear();
  noteOutputs(storeFile, outputs);
  for (const note of written.notes) say(note);
  if (audio) say('voices are personal data: whoever has the folder can tell who speaks');
  const { clips, files, bytes } = written;
  if (json) return printJson({ folder, runs: runs.map(({ id }) => id), trials: written.trials, clips, files, bytes });
  const sound = audio ? `, ${clips} clips` : '';
  await printLine(
    `${join(folder, 'index.html')}: ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}, ${written.trials} trials${sound}, ${(bytes / 1e6).toFixed(1)} MB in ${files} files`,
  );
}
