import type { DataSetFolder } from '../shared/data-set-folder.ts';
import { xmlTags } from './xml-tags.ts';

/** A stretch of one person's speech as the annotators cut it. */
export interface AnnotatedSegment {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** With punctuation at the words. */
  readonly words: string;
}

/** The longest of these files has 1 MB. */
const mostBytes = 1 << 26;

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
  for (const tag of xmlTags(await folder.bytes(`${annotations}words/${name}.words.xml`, mostBytes))) {
    const id = tag.attributes.get('nite:id');
    if (id === undefined || tag.name === 'nite:root') continue;
    placeOf.set(id, tokens.length);
    const kind = tag.name === 'gap' ? 'gap' : tag.name !== 'w' ? 'other' : kindOfWord(tag.attributes.get('punc'));
    tokens.push({ text: tag.text, kind });
  }
  let times: readonly [number, number] | null = null;
  for (const tag of xmlTags(await folder.bytes(`${annotations}segments/${name}.segments.xml`, mostBytes))) {
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
