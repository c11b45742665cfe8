import type { DataSetFolder } from '../shared/data-set-folder.ts';

/** A stretch of one person's speech as the annotators cut it. */
export interface AnnotatedSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** With punctuation at the words. */
  readonly words: string;
}

/** The longest of these files has 1 MB. */
const maxBytes = 1 << 26;

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
  for (const tag of xmlTags(await folder.bytes(`${annotations}words/${name}.words.xml`, maxBytes))) {
    const id = tag.attributes.get('nite:id');
    if (id === undefined || tag.name === 'nite:root') continue;
    placeOf.set(id, tokens.length);
    const kind = tag.name === 'gap' ? 'gap' : tag.name !== 'w' ? 'other' : kindOfWord(tag.attributes.get('punc'));
    tokens.push({ text: tag.text, kind });
  }
  let times: readonly [number, number] | null = null;
  for (const tag of xmlTags(await folder.bytes(`${annotations}segments/${name}.segments.xml`, maxBytes))) {
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
