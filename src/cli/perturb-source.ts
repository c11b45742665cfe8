import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { badUsage } from '../base/errors.ts';
import type { Corpus } from '../corpora/contract.ts';
import { type CorpusChannels, type HeardPart, heardParts } from '../corpora/shared/with-channels.ts';
import type { LoadedConfig } from '../session/config/config.ts';
import { loadConfig } from '../session/config/load-config.ts';
import { type NamedUtterance, soundName } from '../session/export/export-form.ts';
import type { PerturbationJob } from '../session/export/perturbation-job.ts';
import { loadMember } from '../session/members/load-member.ts';
import { keptSoundsFolder } from '../session/open/kept-sounds.ts';
import { openCorpus } from '../session/open/open-corpus.ts';
import { createServices } from '../session/open/services.ts';
import { isServer, storeAt } from '../store/store-place.ts';
import { plannedFiles } from './sound-files.ts';

/** What is to be changed. */
export interface PerturbSource extends AsyncDisposable {
  /** Where relative paths of steps are meant from. */
  readonly baseFolder: string;
  /** Null: sound files of their own. */
  readonly config: PerturbationJob['config'];
  /** The whole config, where one was given: its ladders can be named. */
  readonly loaded: LoadedConfig | null;
  /** Whether it is one sound file. */
  readonly oneFile: boolean;
  utterances(): AsyncIterable<NamedUtterance> | Iterable<NamedUtterance>;
}

const manifestEnding = /\.(tsv|csv|jsonl)$/i;

/**
 * What the command line names: a sound file, a folder of them, a manifest (`.tsv`, `.csv`, `.jsonl`), or the corpora of a
 * config.
 *
 * @param output where they go, for errors
 * @param options `portableNames`: whether sounds are named as data sets want it, rather than as their files are
 * @throws EarwitnessError `bad-usage`: neither or both; `bad-input`, `bad-config`: what is named cannot be read
 */
export async function openPerturbSource(
  input: string | undefined,
  configFile: string | undefined,
  output: string,
  { portableNames, channels }: { readonly portableNames: boolean; readonly channels: CorpusChannels | undefined },
  warn: (message: string) => void,
): Promise<PerturbSource> {
  if ((input === undefined) === (configFile === undefined)) {
    throw badUsage(
      `expected either recordings to perturb or --config, but got ${input === undefined ? 'neither' : 'both'}`,
    );
  }
  if (configFile !== undefined) {
    if (channels !== undefined) {
      throw badUsage('expected --channels with recordings alone; with --config, set channels under corpus');
    }
    const loaded = await loadConfig(configFile, undefined, ['recognizers', 'studies', 'embedders', 'predictors']);
    return corpusSource(loaded.config, loaded.baseFolder, loaded, warn);
  }
  if (manifestEnding.test(input!)) {
    const { member } = await loadMember('corpora', 'manifest', process.cwd());
    const options = member.options.parse({ file: input }) as PerturbManifestOptions;
    const corpora = [
      { type: 'manifest', options, moduleHash: null, select: null, ...(channels !== undefined && { channels }) },
    ];
    return corpusSource({ corpora, synthesizers: {}, recognizers: {} }, process.cwd(), null, warn);
  }
  return fileSource(input!, output, portableNames, channels);
}

/**
 * What a config gives where audio is made against one of its recognizers: these too, and the folder that keeps such audio beside its store.
 *
 * @throws EarwitnessError `bad-config` where a recognizer cannot be read
 */
export async function openAttackSource(
  configFile: string,
): Promise<Required<Pick<PerturbationJob, 'config' | 'against'>>> {
  const { config, baseFolder } = await loadConfig(configFile, undefined, ['studies', 'embedders', 'predictors']);
  const store = storeAt(baseFolder, config.store);
  return { config, against: { made: isServer(store) || existsSync(store) ? keptSoundsFolder(store) : null } };
}

type PerturbManifestOptions = NonNullable<PerturbationJob['config']>['corpora'][number]['options'];

async function corpusSource(
  config: NonNullable<PerturbationJob['config']>,
  baseFolder: string,
  loaded: LoadedConfig | null,
  warn: (message: string) => void,
): Promise<PerturbSource> {
  const services = createServices({ baseFolder, synthesizers: config.synthesizers, warn });
  const corpus: Corpus = await openCorpus(config, null, services.corpus);
  const { corpora, synthesizers, sounds, recognizers } = config;
  return {
    baseFolder,
    config: { corpora, synthesizers, recognizers, ...(sounds && { sounds }) },
    loaded,
    oneFile: false,
    async *utterances() {
      for await (const utterance of corpus.utterances()) yield { utterance, name: soundName(utterance.id) };
    },
    async [Symbol.asyncDispose]() {
      await corpus.close();
      await services.close();
    },
  };
}

async function fileSource(
  input: string,
  output: string,
  portableNames: boolean,
  channels: CorpusChannels | undefined,
): Promise<PerturbSource> {
  const files = await plannedFiles(input, output);
  const oneFile = !(await stat(input)).isDirectory();
  const heard: ({ readonly file: string } & HeardPart)[] = [];
  const services = createServices({ baseFolder: process.cwd() });
  for (const { input: file } of files) {
    const parts = await heardParts(file, channels, services.sounds);
    heard.push(...parts.map((part) => ({ file, ...part })));
  }
  await services.close();
  return {
    baseFolder: process.cwd(),
    config: null,
    loaded: null,
    oneFile: oneFile && heard.length === 1,
    *utterances() {
      for (const { file, channel, suffix } of heard) {
        const inside = oneFile ? basename(file) : relative(input, file);
        const id = `${withoutEnding(inside)}${suffix}`.split(sep).join('/');
        yield {
          utterance: {
            id,
            sound: { file, ...(channel !== undefined && { channel }) },
            language: 'und',
            attributes: {},
            tags: [],
          },
          name: portableNames ? soundName(id) : `${withoutEnding(inside)}${suffix}`,
        };
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

/**
 * Refuses an output that lies in the folder it is made from: made again, it would be changed too.
 *
 * @throws EarwitnessError `bad-usage`
 */
export async function refuseOutputInside(input: string, output: string): Promise<void> {
  const found = await stat(input).catch(() => null);
  if (!found?.isDirectory()) return;
  const inside = relative(await realpath(input), await realPlace(resolve(output)));
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) return;
  throw badUsage(
    `expected an output outside of ${input}, but ${output} lies in it and would be changed itself the next time; name another folder`,
  );
}

/** The real path of a place that need not be there yet. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPlace(dirname(path)), basename(path));
}
