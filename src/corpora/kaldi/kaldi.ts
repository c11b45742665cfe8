import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { languageTag, undeterminedLanguage } from '../../base/language-tag.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { CorpusKind } from '../contract.ts';
import { knownText, parseAge, sexOf } from '../shared/attributes.ts';
import { soundFileCorpus } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, openDataSetFolder } from '../shared/data-set-folder.ts';
import { type Boundary, containedPath, isInside } from '../shared/folders.ts';
import { idAndText, tableLines, tablePairs } from '../shared/lines.ts';
import { checkId, createIdRegister } from '../shared/utterance-id.ts';

const options = z.strictObject({
  folder: nonEmpty().describe('The folder that holds wav.scp, such as data/test.'),
  soundFolder: nonEmpty()
    .optional()
    .describe(
      "Folder from which relative paths in wav.scp are meant. Default: its own, or the first one above, up to the config's, in which the first sound is there (recipes are started some folders above).",
    ),
  language: z.string().optional().describe('Language of utterances that utt2lang does not name. Default: und.'),
  allowOutside: dataSetOptions.allowOutside.describe(
    'Whether sounds may lie outside of that folder (absolute paths, .., symbolic links). Default: false.',
  ),
});

type KaldiOptions = z.output<typeof options>;

/** Programs of wav.scp that write the sound of one file as it is: the file is read, no program is ever started. */
const plainReaders = /^(?:flac|sph2pipe|cat)$/;

/** How programs are told to take one channel: `sph2pipe -f wav -c 1 a.sph |`, `sox a.wav -t wav - remix 2 |`. */
const channelFlag = { sph2pipe: /\s-c\s+([12])(?=\s)/, sox: /\s-t\s+wav\s+-\s+remix\s+(\d{1,2})(?=\s*\|$)/ };

/** Flags of those programs that do not change the sound. */
const plainFlags = /^-(?:c|d|s|-silent|-stdout|-decode|f|p|cd|cds|dc|dcs)$/;

/**
 * A data folder of Kaldi recipes (also of k2's and ESPnet's): `wav.scp`, and where they are there `text`, `utt2spk`, `segments`, `utt2lang`, and
 * any `spk2…` or `utt2…` as attributes of speakers and utterances (`spk2gender` is named `sex`). Lists are held in memory.
 *
 * @example { type: 'kaldi', folder: 'data/test', language: 'en' }
 */
export const kaldi: CorpusKind<KaldiOptions> = {
  name: 'kaldi',
  about: 'A data folder of Kaldi, k2 or ESPnet: wav.scp with text, utt2spk, segments and facts about speakers',
  options,
  signs: [{ path: 'wav.scp', options: {} }],
  async open({ soundFolder, language, ...rest }, services) {
    const folder = await openDataSetFolder(rest, services.baseFolder, {
      title: 'a Kaldi data set',
      roots: [''],
      holds: 'wav.scp',
    });
    const recordings = await readRecordings(folder);
    const [first] = recordings.values();
    if (first === undefined) {
      throw badInput(
        `${folder.shown('wav.scp')}: expected at least one sound, but the list is empty; add a line for each`,
      );
    }
    const highest = rest.allowOutside ? '/' : services.baseFolder;
    const from =
      soundFolder === undefined ? startOf(folder.root, first.path, highest) : resolve(services.baseFolder, soundFolder);
    const boundary: Boundary = {
      folder: from,
      shownName: soundFolder ?? `the folder of ${folder.shown('wav.scp')}`,
      allowOutside: rest.allowOutside ?? false,
    };
    const facts = await readFacts(folder);
    const usual = language === undefined ? undeterminedLanguage : languageTag(language, () => 'language');
    const fileOf = ({ path, place }: Recording) => containedPath(path, from, boundary, place);
    fileOf(first);

    async function* utterances(): AsyncGenerator<Utterance> {
      const ids = createIdRegister();
      for await (const { id, recording, startSeconds, endSeconds, place } of stretches(folder, recordings)) {
        if (ids.add(id, 0) !== null) {
          throw badInput(
            `${place()}: expected an id of its own for each utterance, but "${id.slice(0, 100)}" came before; take one out`,
          );
        }
        const { reference, speaker, language: named, attributes } = facts(id);
        yield {
          id: checkId(id, 'id', place),
          sound: {
            file: fileOf(recording),
            ...(startSeconds !== undefined && { startSeconds }),
            ...(endSeconds !== undefined && { endSeconds }),
            ...(recording.channel !== null && { channel: recording.channel }),
          },
          ...(reference !== undefined && { reference }),
          language: named === undefined ? usual : languageTag(named, () => folder.shown('utt2lang')),
          ...(speaker !== undefined && { speaker: checkId(speaker, 'speaker', () => folder.shown('utt2spk')) }),
          attributes,
          tags: [],
        };
      }
    }
    return soundFileCorpus(utterances, boundary, services);
  },
};

/** A line of wav.scp. */
interface Recording {
  readonly path: string;
  /** From 1; null where the line names none. */
  readonly channel: number | null;
  place(): string;
}

async function readRecordings(folder: DataSetFolder): Promise<ReadonlyMap<string, Recording>> {
  const recordings = new Map<string, Recording>();
  for await (const { text: line, number } of folder.lines('wav.scp')) {
    const found = idAndText(line);
    if (found === null) continue;
    const place = () => `${folder.shown('wav.scp')}:${number}:1`;
    recordings.set(found.id, { ...soundIn(found.text, place), place });
  }
  return recordings;
}

/** @throws EarwitnessError `bad-input`: no path, or a program that does more than write a file's sound */
function soundIn(text: string, place: () => string): Pick<Recording, 'path' | 'channel'> {
  if (text !== '' && !text.endsWith('|')) return { path: text, channel: null };
  const [program = ''] = text.split(/\s+/, 1);
  const flag = program === 'sph2pipe' || program === 'sox' ? channelFlag[program] : /^$/;
  const channel = flag.exec(text)?.[1];
  const [, ...words] = text
    .replace(flag, '')
    .replace(/\s*\|$/, '')
    .split(/\s+/);
  const [only, ...more] = words.filter((word) => !plainFlags.test(word) && word !== 'wav');
  const isPlain = program === 'sox' ? channel !== undefined : plainReaders.test(program);
  const isOther = program === 'sph2pipe' && channel === undefined && words.includes('-c');
  if (isPlain && only !== undefined && more.length === 0 && !isOther)
    return { path: only, channel: channel === undefined ? null : Number(channel) };
  throw badInput(
    `${place()}: expected an id and the path of a sound, but found ${JSON.stringify(text.slice(0, 80))}; programs of wav.scp are not started: write what they give into files and name those`,
  );
}

/** The data folder or the first one above, up to the highest, in which a relative path leads to a file; the data folder where none does. */
function startOf(root: string, path: string, highest: string): string {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(resolve(folder, path))) return folder;
    // A list from elsewhere must not make every folder above it the one that its sounds may lie in.
    if (!isInside(resolve(highest), folder)) return root;
  }
}

interface Stretch {
  readonly id: string;
  readonly recording: Recording;
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  place(): string;
}

async function* stretches(folder: DataSetFolder, recordings: ReadonlyMap<string, Recording>): AsyncGenerator<Stretch> {
  if (!(await folder.has('segments'))) {
    for (const [id, recording] of recordings) yield { id, recording, place: recording.place };
    return;
  }
  for await (const { fields, place } of tableLines(folder, 'segments')) {
    const [id = '', name = '', start, end] = fields;
    const recording = recordings.get(name);
    const [startSeconds, endSeconds] = [Number(start), Number(end)];
    if (recording === undefined) {
      throw badInput(
        `${place()}: expected the name of a recording in wav.scp, but ${JSON.stringify(name.slice(0, 100))} is none; correct it`,
      );
    }
    // An end of -1 is the end of the recording.
    const toEnd = endSeconds === -1;
    if (!(startSeconds >= 0 && (toEnd || endSeconds > startSeconds))) {
      throw badInput(
        `${place()}: expected an id, a recording, and where the utterance begins and ends in seconds, but found ${JSON.stringify(fields.join(' ').slice(0, 100))}; correct the line`,
      );
    }
    yield { id, recording, startSeconds, ...(toEnd ? {} : { endSeconds }), place };
  }
}

interface Facts {
  readonly reference: string | undefined;
  readonly speaker: string | undefined;
  readonly language: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Files of the same form that say nothing of a person or an utterance. */
const technical = new Set([
  'utt2spk',
  'spk2utt',
  'utt2lang',
  'utt2dur',
  'utt2num_frames',
  'utt2uniq',
  'utt2max_frames',
]);

async function readFacts(folder: DataSetFolder): Promise<(id: string) => Facts> {
  const { files } = await folder.list('');
  const [texts, speakers, languages] = await Promise.all(
    ['text', 'utt2spk', 'utt2lang'].map((name) => tablePairs(folder, name)),
  );
  const about: { readonly of: 'spk' | 'utt'; readonly name: string; readonly values: ReadonlyMap<string, string> }[] =
    [];
  for (const file of files) {
    const [, of, name] = /^(spk|utt)2([a-z_]+)$/.exec(file) ?? [];
    if (name === undefined || technical.has(file)) continue;
    about.push({ of: of as 'spk' | 'utt', name, values: await tablePairs(folder, file) });
  }
  return (id) => {
    const speaker = speakers!.get(id);
    const pairs = about.flatMap(({ of, name, values }) => {
      const said = values.get(of === 'utt' ? id : (speaker ?? ''));
      const [key, value] =
        name === 'gender' ? ['sex', sexOf(said)] : [name, name === 'age' ? parseAge(said) : knownText(said)];
      return value === undefined ? [] : [[key, value] as const];
    });
    return {
      reference: texts!.get(id),
      speaker,
      language: languages!.get(id),
      attributes: Object.fromEntries(pairs),
    };
  };
}
