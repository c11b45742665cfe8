import { channelsAs } from '../../base/columns/channels.ts';
import { badInput } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import type { StmFile, StmSegment } from '../../base/read-stm.ts';
import { channelKey, cutAtSilences, cutToSegments } from '../../scoring/transcript-files/cut-to-segments.ts';
import { type CtmToken, ctmText } from '../../scoring/transcript-files/read-ctm.ts';
import { createLeftovers, type PairSource, type ScoringPair, type ScoringText } from './scoring-pair.ts';

/** What two files hold, and how errors name them. */
export interface TwoFiles<Reference, Hypothesis> {
  readonly reference: () => Promise<Reference>;
  readonly hypothesis: () => Promise<Hypothesis>;
  readonly names: { readonly reference: string; readonly hypothesis: string };
}

/** The segments of an stm file, each with the words of a ctm file that fall into it. */
export function pairStmWithCtm({ reference, hypothesis, names }: TwoFiles<StmFile, readonly CtmToken[]>): PairSource {
  const { missing, unmatched, ignored, leftovers } = createLeftovers();
  let told = '';
  const compared = () => `${names.reference} with ${names.hypothesis}, by segment${told}`;
  return { pairs: readPairs(), leftovers, compared, taken: () => takenBy('by segment') };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const { segments } = await reference();
    const { tokens, said } = asCalledIn(segments, await hypothesis(), names);
    told = said;
    const cut = cutToSegments(segments, tokens);
    ignored.segments = segments.length - cut.segments.length;
    ignored.words = cut.ignoredWords;
    for (const channel of cut.unmatched.keys()) unmatched.add(channel);
    if (segments.length === 0) {
      throw badInput(`${names.reference}: expected at least one segment, but the file has none`);
    }
    if (cut.segments.every((segment) => segment.missing) && unmatched.count > 0) {
      throw badInput(
        `${names.hypothesis}: expected the files and channels of ${names.reference} (such as ${shown(`${segments[0]!.file} ${segments[0]!.channel}`)}), but none of them is there (it has ${shown(unmatched.first[0]!)}); do the files belong together?`,
      );
    }
    for (const { segment, tokens: words, missing: nothing } of cut.segments) {
      const id = `${segment.file}-${segment.channel}-${segment.beginSeconds}-${segment.endSeconds}`;
      if (nothing) missing.add(id);
      yield {
        id,
        line: segment.line,
        reference: {
          text: segment.text,
          alternatives: true,
          place: () => ({ where: `${names.reference}:${segment.line}`, column: segment.column }),
        },
        hypothesis: textOfTokens(words, names.hypothesis),
        ...(nothing ? { missing: true } : {}),
        values: (attribute) => valuesOf(segment, attribute),
        attributes: () => ({
          speaker: segment.speaker,
          file: segment.file,
          channel: segment.channel,
          ...(segment.labels.length === 0 ? {} : { label: segment.labels }),
        }),
      };
    }
  }
}

/** Words with their channels as the reference calls them, and what is said of it where it calls them otherwise. */
function asCalledIn(
  reference: readonly { readonly channel: string }[],
  tokens: readonly CtmToken[],
  files: TwoFiles<unknown, unknown>['names'],
) {
  const channelsOf = (list: readonly { readonly channel: string }[]) => new Set(list.map(({ channel }) => channel));
  const { names, told } = channelsCalled(channelsOf(tokens), channelsOf(reference), files);
  if (told === null) return { tokens, said: '' };
  return {
    tokens: tokens.map((token) => ({ ...token, channel: names.get(token.channel) ?? token.channel })),
    said: ` (${told})`,
  };
}

/**
 * What the channels of hypotheses are called in the references.
 *
 * @throws EarwitnessError `bad-input`: they are called otherwise there, and not all of those are here, so that which is which is a guess
 */
export function channelsCalled(
  heard: ReadonlySet<string>,
  said: ReadonlySet<string>,
  files: TwoFiles<unknown, unknown>['names'],
): ReturnType<typeof channelsAs> {
  const called = channelsAs(heard, said);
  const met = new Set(called.names.values());
  if (called.told === null || [...said].every((channel) => met.has(channel))) return called;
  const list = (channels: ReadonlySet<string>) => [...channels].sort().slice(0, 8).map(shown).join(', ');
  throw badInput(
    `${files.hypothesis}: expected the channels of ${files.reference} (${list(said)}), but it has ${list(heard)} alone, and nothing says which of them that is; call it there as here`,
  );
}

const takenBy = (how: string) => ({ how, reference: null, hypothesis: null });

/** `label` is every label the segment has; `label1`, `label2`, … the one at that place of its list. */
function valuesOf(segment: StmSegment, attribute: string): readonly string[] {
  if (attribute === 'speaker' || attribute === 'file' || attribute === 'channel') return [segment[attribute]];
  if (attribute === 'label') return [...new Set(segment.labels)].filter((label) => label !== '');
  const place = /^label([1-9]\d?)$/.exec(attribute)?.[1];
  const label = place === undefined ? undefined : segment.labels[Number(place) - 1];
  return label === undefined || label === '' ? [] : [label];
}

/** The words of a ctm file as a text. */
function textOfTokens(tokens: readonly CtmToken[], file: string): ScoringText {
  const alternatives = tokens.some(({ alternatives: wordings }) => wordings.length > 1);
  return {
    text: ctmText(tokens),
    alternatives,
    place: () => ({ where: `${file}:${tokens[0]?.line ?? 1}`, column: 1 }),
  };
}

/** A name out of a file, for an error. */
export function shown(text: string): string {
  return JSON.stringify(limitText(text, 60));
}

/**
 * Two ctm files: each file and channel of the reference with all that was recognized in it, cut where both are silent.
 *
 * @param silenceSeconds Infinity for channels as a whole
 */
export function pairsOfChannels(
  { reference, hypothesis, names }: TwoFiles<readonly CtmToken[], readonly CtmToken[]>,
  silenceSeconds: number,
): PairSource {
  const { missing, unmatched, leftovers } = createLeftovers();
  let told = '';
  const compared = () => `${names.reference} with ${names.hypothesis}, by channel${told}`;
  return { pairs: readPairs(), leftovers, compared, taken: () => takenBy('by channel'), silenceSeconds };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const words = await reference();
    const { tokens, said } = asCalledIn(words, await hypothesis(), names);
    told = said;
    const [references, hypotheses] = [byChannel(words), byChannel(tokens)];
    for (const [key, [first]] of hypotheses)
      if (!references.has(key)) unmatched.add(`${first!.file} ${first!.channel}`);
    const known = [...references.values()][0]?.[0];
    if (known === undefined) throw badInput(`${names.reference}: expected at least one word, but the file has none`);
    if (unmatched.count > 0 && unmatched.count === hypotheses.size) {
      throw badInput(
        `${names.hypothesis}: expected the files and channels of ${names.reference} (such as ${shown(`${known.file} ${known.channel}`)}), but none of them is there (it has ${shown(unmatched.first[0]!)}); do the files belong together?`,
      );
    }
    for (const [key, ofChannel] of references) {
      const { file, channel } = ofChannel[0]!;
      const found = hypotheses.get(key);
      if (found === undefined) missing.add(`${file}-${channel}`);
      const attributes: Record<string, string> = { file, channel };
      for (const stretch of cutAtSilences(ofChannel, found ?? [], silenceSeconds)) {
        const place = silenceSeconds < Number.POSITIVE_INFINITY ? `-${secondsOf(stretch)}` : '';
        yield {
          id: `${file}-${channel}${place}`,
          line: stretch.reference[0]?.line ?? ofChannel[0]!.line,
          reference: textOfTokens(stretch.reference, names.reference),
          hypothesis: textOfTokens(stretch.hypothesis, names.hypothesis),
          ...(found === undefined ? { missing: true } : {}),
          values: (attribute) => (Object.hasOwn(attributes, attribute) ? [attributes[attribute]!] : []),
          attributes: () => attributes,
        };
      }
    }
  }
}

/** Sums of decimal times have digits that no file has. */
function secondsOf({
  beginSeconds,
  endSeconds,
}: {
  readonly beginSeconds: number;
  readonly endSeconds: number;
}): string {
  return `${Number(beginSeconds.toFixed(3))}-${Number(endSeconds.toFixed(3))}`;
}

function byChannel(tokens: readonly CtmToken[]): Map<string, CtmToken[]> {
  return Map.groupBy(tokens, channelKey);
}
