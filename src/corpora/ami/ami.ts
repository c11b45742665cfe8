import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import { type Attributes, capitalized, parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

/** A stretch of one person's speech as the annotators cut it. */
export interface AnnotatedSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** With punctuation at the words. */
  readonly words: string;
}

/** The longest of these files has 1 MB. */
const maxAnnotationBytes = 1 << 26;

interface Token {
  readonly text: string;
  readonly kind: 'word' | 'punctuation' | 'gap' | 'other';
}

/**
 * The segments of one person in one meeting (`segments/ES2002a.A.segments.xml`) with the words that they name
 * (`words/ES2002a.A.words.xml`). A text in place of a segment says why it is left out.
 *
 * @param name `ES2002a.A`
 */
export async function* readSegments(
  folder: DataSetFolder,
  annotations: string,
  name: string,
): AsyncGenerator<AnnotatedSegment | string> {
  const tokens: Token[] = [];
  const placeOf = new Map<string, number>();
  for (const tag of xmlTags(await folder.bytes(`${annotations}words/${name}.words.xml`, maxAnnotationBytes))) {
    const id = tag.attributes.get('nite:id');
    if (id === undefined || tag.name === 'nite:root') continue;
    placeOf.set(id, tokens.length);
    const kind = tag.name === 'gap' ? 'gap' : tag.name !== 'w' ? 'other' : kindOfWord(tag.attributes.get('punc'));
    tokens.push({ text: tag.text, kind });
  }
  let times: readonly [number, number] | null = null;
  for (const tag of xmlTags(await folder.bytes(`${annotations}segments/${name}.segments.xml`, maxAnnotationBytes))) {
    if (tag.name === 'segment') {
      times = [Number(tag.attributes.get('transcriber_start')), Number(tag.attributes.get('transcriber_end'))];
    } else if (tag.name === 'nite:child' && times !== null) {
      yield segmentFrom(times, tokens, placeOf, tag.attributes.get('href') ?? '');
      times = null;
    }
  }
}

function kindOfWord(punctuation: string | undefined): Token['kind'] {
  return punctuation === 'true' ? 'punctuation' : 'word';
}

/** @param href `ES2002a.A.words.xml#id(ES2002a.A.words0)..id(ES2002a.A.words6)`, or with one id */
function segmentFrom(
  [startSeconds, endSeconds]: readonly [number, number],
  tokens: readonly Token[],
  placeOf: ReadonlyMap<string, number>,
  href: string,
): AnnotatedSegment | string {
  const [, first = '', last = first] = /#id\(([^()]+)\)(?:\.\.id\(([^()]+)\))?$/.exec(href) ?? [];
  const from = placeOf.get(first);
  const to = placeOf.get(last);
  if (from === undefined || to === undefined) return 'segments that name words which are not there';
  if (!(startSeconds >= 0 && endSeconds > startSeconds)) return 'segments without times';
  const inside = tokens.slice(from, to + 1);
  if (inside.some(({ kind }) => kind === 'gap')) return 'segments with words that are not written down';
  let words = '';
  for (const { text, kind } of inside) {
    if (kind === 'word') words += `${words === '' ? '' : ' '}${text}`;
    else if (kind === 'punctuation') words += text;
  }
  if (!/[\p{L}\p{N}]/u.test(words)) return 'segments without words';
  return { startSeconds, endSeconds, words };
}

/** A tag with what it says and the text right behind it. */
interface XmlTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * The opening tags of an NXT file in their order: what AMI's annotations need of XML, in time that grows with the file's
 * length alone. Declarations, comments and closing tags are passed over.
 *
 * @param bytes in the encoding that the declaration names: ISO-8859-1 in AMI, else UTF-8
 */
export function* xmlTags(bytes: Uint8Array): Generator<XmlTag> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const xml = new TextDecoder(/encoding="iso-8859-1"/i.test(head) ? 'latin1' : 'utf-8').decode(bytes);
  for (const [, name, inside, text] of xml.matchAll(/<([A-Za-z][\w:.-]*)([^<>]*)>([^<]*)/g)) {
    const attributes = new Map<string, string>();
    for (const [, key, value] of inside!.matchAll(/\s([\w:.-]+)="([^"]*)"/g)) attributes.set(key!, decoded(value!));
    yield { name: name!, attributes, text: decoded(text!).trim() };
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** These two files have 0.2 MB. */
const maxBytes = 1 << 24;

const annotationFolders = ['', 'ami_public_manual_1.6.2/', 'ami_manual/', 'annotations/'];

const options = z.strictObject({
  ...dataSetOptions,
  split: oneOf(['train', 'dev', 'test', 'all']).describe(
    'Which part of the full-corpus partition for speech recognition.',
  ),
  microphone: oneOf(['headset', 'lapel', 'array']).describe(
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
export const ami = dataSetKind({
  name: 'ami',
  about: 'AMI meetings, near (headsets) and far (array), cut by segment, with sex, age and native language',
  title: 'AMI',
  licence: 'CC BY 4.0',
  layout: 'ami_public_manual_1.6.2/words/ES2004a.A.words.xml and amicorpus/ES2004a/audio/ES2004a.Headset-0.wav',
  options,
  signs: dataSetSigns(
    ['', 'ami_public_manual_1.6.2/'],
    [{ path: 'corpusResources/meetings.xml', options: { split: 'test', microphone: 'headset' } }],
  ),
  landmark: () => ({ roots: [''], holds: annotationFolders.map((path) => `${path}corpusResources/meetings.xml`) }),
  async *list(folder, { split, microphone }, left) {
    const there = await Promise.all(annotationFolders.map((path) => folder.has(`${path}corpusResources/meetings.xml`)));
    const annotations = annotationFolders[there.indexOf(true)]!;
    const people = await readPeople(folder, annotations);
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
  },
});

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
