import { z } from 'zod';
import type { CorpusKind } from '../contract.ts';
import { type Attributes, capitalized, parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetCorpus, type LeftOut, type ListedUtterance } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, openDataSetFolder } from '../shared/data-set-folder.ts';
import { dataSetSigns } from '../shared/signs.ts';
import { readSegments, xmlTags } from './segments.ts';

/** These two files have 0.2 MB. */
const maxBytes = 1 << 24;

const annotationFolders = ['', 'ami_public_manual_1.6.2', 'ami_manual', 'annotations'];

const options = z.strictObject({
  ...dataSetOptions,
  split: z
    .enum(['train', 'dev', 'test', 'all'])
    .describe('Which part of the full-corpus partition for speech recognition.'),
  microphone: z
    .enum(['headset', 'lapel', 'array'])
    .describe(
      "`headset` (near, the speaker's own), `lapel`, or `array` (far: the first microphone of the first array). Beamformed sound is not part of the corpus.",
    ),
});

type Options = z.output<typeof options>;

/**
 * The AMI Meeting Corpus (Carletta, 2006) as it unpacks: manual annotations 1.6.2 in NXT format
 * (`ami_public_manual_1.6.2/words/ES2002a.A.words.xml`, `segments/`, `corpusResources/`) and sound in
 * `amicorpus/ES2002a/audio/ES2002a.Headset-0.wav`, both in one folder. Each segment that the annotators cut is an
 * utterance. Segments without words (laughter) and with gaps in the transcript are left out.
 *
 * @example { type: 'ami', folder: '/data/ami', split: 'test', microphone: 'array' }
 */
export const ami: CorpusKind<Options> = {
  name: 'ami',
  about: 'AMI meetings, near (headsets) and far (array), cut by segment, with sex, age and native language',
  options,
  signs: dataSetSigns(
    ['', 'ami_public_manual_1.6.2/'],
    [{ path: 'corpusResources/meetings.xml', options: { split: 'test', microphone: 'headset' } }],
  ),
  async open(given, services) {
    const folder = await openDataSetFolder(given, services.baseFolder, {
      title: 'AMI',
      roots: [''],
      holds: annotationFolders.map((path) => `${path === '' ? '' : `${path}/`}corpusResources/meetings.xml`),
    });
    const there = await Promise.all(
      annotationFolders.map((path) => folder.has(`${path}/corpusResources/meetings.xml`)),
    );
    const found = annotationFolders[there.indexOf(true)]!;
    const annotations = found === '' ? '' : `${found}/`;
    const people = await readPeople(folder, annotations);
    return dataSetCorpus(
      {
        name: 'ami',
        licence: 'CC BY 4.0',
        layout: 'ami_public_manual_1.6.2/words/ES2004a.A.words.xml and amicorpus/ES2004a/audio/ES2004a.Headset-0.wav',
      },
      folder,
      (left) => listSegments(folder, annotations, given, people, left),
      services,
    );
  },
};

async function* listSegments(
  folder: DataSetFolder,
  annotations: string,
  { split, microphone }: Options,
  people: ReadonlyMap<string, Participant>,
  left: LeftOut,
): AsyncGenerator<ListedUtterance> {
  for (const file of (await folder.list(`${annotations}segments`)).files) {
    const [, name, meeting, agent] = /^(([A-Z]{2}\d{4}[a-e]?)\.([A-Z]))\.segments\.xml$/.exec(file) ?? [];
    if (name === undefined || meeting === undefined || agent === undefined) continue;
    const part = partOf(meeting);
    const person = people.get(name);
    if (person === undefined || (split !== 'all' && part !== split)) continue;
    const sound = await soundOf(folder, meeting, microphone, person);
    if (sound === null) {
      left.add(`speakers of a meeting without sound from this microphone (${microphone})`);
      continue;
    }
    let number = 0;
    for await (const segment of readSegments(folder, annotations, name)) {
      number++;
      if (typeof segment === 'string') {
        left.add(segment);
        continue;
      }
      const { startSeconds, endSeconds, words } = segment;
      yield {
        id: `${meeting}-${agent}-${String(number).padStart(5, '0')}-${microphone}`,
        file: sound,
        startSeconds,
        endSeconds,
        reference: words,
        language: 'en',
        speaker: person.speaker,
        attributes: {
          split: part ?? undefined,
          ...person.attributes,
          style: 'spontaneous',
          recordingDevice: microphone,
          environment: 'meeting room',
        },
        ownAttributes: { meeting, role: person.role },
        place: () => folder.shown(`${annotations}segments/${file}`),
      };
    }
  }
}

async function soundOf(
  folder: DataSetFolder,
  meeting: string,
  microphone: Options['microphone'],
  { channel }: Participant,
): Promise<string | null> {
  const names = { headset: `Headset-${channel}`, lapel: `Lapel-${channel}`, array: 'Array1-01' };
  const file = `${meeting}/audio/${meeting}.${names[microphone]}.wav`;
  for (const top of ['amicorpus/', 'wav_db/', '']) if (await folder.has(`${top}${file}`)) return `${top}${file}`;
  return null;
}

/**
 * The part of AMI's full-corpus partition for speech recognition that a meeting belongs to ("Full-corpus-ASR partition
 * of meetings", AMI corpus documentation). IB4005 is in none.
 *
 * @example partOf('ES2004a') // 'test'
 */
export function partOf(meeting: string): 'train' | 'dev' | 'test' | null {
  if (meeting === 'IB4005') return null;
  const series = meeting.replace(/[a-e]$/, '');
  if (['ES2004', 'IS1009', 'TS3003', 'EN2002'].includes(series)) return 'test';
  const nonScenario = ['IB4001', 'IB4002', 'IB4003', 'IB4004', 'IB4010', 'IB4011'];
  return ['ES2011', 'IS1008', 'TS3004', ...nonScenario].includes(series) ? 'dev' : 'train';
}

/** Somebody in a meeting. */
interface Participant {
  /** `FEE005`: the same in all meetings. */
  readonly speaker: string;
  /** Number of the headset and lapel microphone; not always in the order of the letters. */
  readonly channel: string;
  readonly attributes: Attributes;
  /** PM, ID, ME or UI in meetings with roles. */
  readonly role: string | undefined;
}

/** Participants by `meeting.agent` (`ES2002a.A`), from `corpusResources/meetings.xml` and `participants.xml`. */
async function readPeople(folder: DataSetFolder, annotations: string): Promise<ReadonlyMap<string, Participant>> {
  const about = new Map<string, Attributes>();
  const resources = `${annotations}corpusResources`;
  for (const { name, attributes } of xmlTags(await folder.bytes(`${resources}/participants.xml`, maxBytes))) {
    const id = attributes.get('nite:id') ?? attributes.get('global_name');
    if (name !== 'participant' || id === undefined) continue;
    about.set(id, {
      sex: sexOf(attributes.get('sex')),
      age: parseAge(attributes.get('age_at_collection')),
      nativeLanguage: capitalized(attributes.get('native_language')),
    });
  }
  const people = new Map<string, Participant>();
  let meeting = '';
  for (const { name, attributes } of xmlTags(await folder.bytes(`${resources}/meetings.xml`, maxBytes))) {
    if (name === 'meeting') meeting = attributes.get('observation') ?? '';
    const agent = attributes.get('nxt_agent');
    const speaker = attributes.get('global_name');
    const channel = attributes.get('channel');
    if (name !== 'speaker' || agent === undefined || speaker === undefined || channel === undefined) continue;
    const role = attributes.get('role');
    people.set(`${meeting}.${agent}`, { speaker, channel, attributes: about.get(speaker) ?? {}, role });
  }
  return people;
}
