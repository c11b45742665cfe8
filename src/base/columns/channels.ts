/**
 * A channel as somebody wrote it, and whether it is a number; null for what is none. Letters as in files of NIST and Kaldi: A is the first. `1.0` as pandas writes it where a row has none is 1.
 *
 * @example writtenChannel('B') // { value: 2, counted: false }
 */
export function writtenChannel(text: string): { readonly value: number; readonly counted: boolean } | null {
  const number = /^(?:ch(?:annel)?[ _-]?)?(\d{1,3})(?:\.0+)?$/i.exec(text)?.[1];
  if (number !== undefined) return { value: Number(number), counted: true };
  const letter = /^(?:(a|l|left)|(b|r|right)|([c-h]))$/i.exec(text);
  if (letter === null) return null;
  const [, first, second] = letter;
  const value = first ? 1 : second ? 2 : text.toLowerCase().charCodeAt(0) - 96;
  return { value, counted: false };
}

/** Which channel each name means, the first as 1: those that count from 0 have a 0. */
export function channelsByName(names: Iterable<string>): ReadonlyMap<string, number> {
  const written = [...names].flatMap((name) => {
    const channel = writtenChannel(name);
    return channel === null ? [] : [{ name, ...channel }];
  });
  const first = written.some(({ value, counted }) => counted && value === 0) ? 0 : 1;
  return new Map(written.map(({ name, value, counted }) => [name, counted ? value + 1 - first : value]));
}

/**
 * What the channels of one file are called in another, where that names the same ones otherwise: counted from 0 and from 1, or by letters. Names
 * that both have stay as they are, unless more are common to both by what they mean.
 *
 * @param told says so: `channels 0, 1 are 1, 2 in the other`, the ones there first; null where nothing is called otherwise
 *
 * @example channelsAs(['1', '2'], ['0', '1']).names // 1 -> 0, 2 -> 1
 */
export function channelsAs(
  names: Iterable<string>,
  there: Iterable<string>,
): { readonly names: ReadonlyMap<string, string>; readonly told: string | null } {
  const [own, others] = [new Set(names), new Set(there)];
  const lower = (texts: Iterable<string>) => new Set([...texts].map((text) => text.toLowerCase()));
  const [meant, meantThere] = [channelsByName(own), channelsByName(others)];
  const asWritten = lower(own).intersection(lower(others)).size;
  const asMeant = new Set(meant.values()).intersection(new Set(meantThere.values())).size;
  if (asMeant <= asWritten) return { names: new Map(), told: null };
  const byChannel = new Map([...meantThere].map(([name, channel]) => [channel, name]));
  const called = new Map([...meant].map(([name, channel]) => [name, byChannel.get(channel) ?? `channel ${channel}`]));
  const list = (texts: Iterable<string>) => [...texts].slice(0, 8).join(', ');
  const common = [...called].filter(([, name]) => others.has(name)).sort(([, a], [, b]) => (a < b ? -1 : 1));
  const [here, elsewhere] = [list(common.map(([name]) => name)), list(common.map(([, name]) => name))];
  return {
    names: called,
    told: `channel${common.length > 1 ? 's' : ''} ${elsewhere} ${common.length > 1 ? 'are' : 'is'} ${here} in the other`,
  };
}
