import { z } from 'zod';
import { escapeMarkdown } from '../../report/markdown/render-markdown.ts';
import { type CoverageItem, intersectionalCoverage } from '../../statistics/intersectional-coverage.ts';
import { announcedShape } from './announced.ts';
import type { CollectionPlan } from './collection-plan.ts';

/** What somebody told about themselves, as the file of their code has it. */
export const aboutShape = z.strictObject({
  /** When they agreed to it, and to which text. */
  consent: z.strictObject({ sha256: z.string(), at: z.string() }),
  /** By name; several values and own words are joined by "; ". Absent: not said. */
  attributes: z.record(z.string(), z.string()),
  /** Which they would rather not say. */
  declined: z.array(z.string()),
});

export type About = Readonly<z.infer<typeof aboutShape>>;

/** A clip that is kept, as the file beside it says. */
export const recordingShape = announcedShape.extend({
  item: z.string(),
  take: z.string(),
  script: z.string(),
  type: z.enum(['read', 'grammar', 'dictation', 'free', 'dialogue']),
  /** What was read; of what was said freely, what its speaker wrote down, else null. */
  text: z.string().nullable(),
  role: z.enum(['A', 'B']).nullable(),
  pair: z.string().nullable(),
  consentSha256: z.string(),
  sampleRate: z.number(),
  check: z.strictObject({
    durationSeconds: z.number(),
    levelDbfs: z.number().nullable(),
    clippedShare: z.number(),
    snrDb: z.number().nullable(),
    problems: z.array(z.enum(['silent', 'clipped', 'quiet', 'noisy', 'short'])).readonly(),
  }),
});

export type Recording = Readonly<z.infer<typeof recordingShape>>;

/** All that there is of somebody, by the code that stands for them. */
export interface Voice {
  readonly speaker: string;
  readonly about: About;
  readonly recordings: readonly Recording[];
}

/** Each take has a file of its own, so that no kill leaves the hash of one beside the bytes of another. */
export function clipFile({ item, take }: Pick<Recording, 'item' | 'take'>): string {
  return `${item}.${take.slice(0, 8)}.wav`;
}

/** How a script is called as a style of speech. */
const styles = {
  read: 'read',
  grammar: 'commands',
  dictation: 'dictation',
  free: 'spontaneous',
  dialogue: 'acted',
} as const;

/** What the corpus `manifest` reads: one line a clip, each cell without tabs and ends of lines. */
export function listText(plan: CollectionPlan, everyone: readonly Voice[]): string {
  const names = plan.attributes.map(({ name }) => name);
  const head = [
    ...['id', 'path', 'speaker', 'language', 'text', 'duration', 'script', 'style', 'environment', 'recordingDevice'],
    ...['dialogue', 'pair', 'role', 'turn', 'rooms', 'licence', 'consent', 'sha256', ...names],
  ];
  const rows = everyone.flatMap(({ speaker, about, recordings }) =>
    recordings.map((one) => [
      ...[`${speaker}-${one.item}`, `clips/${speaker}/${clipFile(one)}`, speaker, plan.language, one.text ?? ''],
      ...[one.check.durationSeconds.toFixed(3), one.script, styles[one.type], one.environment, one.device],
      ...[one.type === 'dialogue' ? one.script : '', one.pair ?? '', one.role ?? ''],
      ...[one.type === 'dialogue' ? one.item.slice(one.script.length + 1) : '', one.rooms, plan.licence],
      ...[one.consentSha256.slice(0, 12), one.sha256, ...names.map((name) => about.attributes[name] ?? '')],
    ]),
  );
  return [head, ...rows]
    .map((cells) => `${cells.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`)
    .join('');
}

/** How well the wanted combinations are there; null where none are wanted. */
export function quotaOf(plan: CollectionPlan, everyone: readonly Voice[]) {
  if (plan.quota === undefined) return null;
  const items = everyone
    .filter(({ recordings }) => recordings.length > 0)
    .map(({ speaker, about }): CoverageItem => ({ speaker, attributes: about.attributes }));
  const values = Object.fromEntries(
    plan.attributes.flatMap(({ name, choices }) => (choices.length > 0 ? [[name, choices]] : [])),
  );
  const { attributes, speakers } = plan.quota;
  return intersectionalCoverage(items, { attributes, by: 'speakers', minimum: speakers, values });
}

/** What a corpus card says: of what it is, of whom, under which terms, and how it was recorded. */
export function cardText(plan: CollectionPlan, everyone: readonly Voice[]): string {
  const all = everyone.flatMap(({ recordings }) => recordings);
  const speakers = everyone.filter(({ recordings }) => recordings.length > 0);
  const hours = all.reduce((sum, { check }) => sum + check.durationSeconds, 0) / 3600;
  const share = (what: (one: Recording) => boolean) => `${all.filter(what).length} of ${all.length}`;
  const quota = quotaOf(plan, everyone);
  const counts = (name: string) => {
    const of = Map.groupBy(speakers, ({ about }) => about.attributes[name] ?? null);
    return [...of]
      .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : a < b ? -1 : 1))
      .map(([value, who]) => `| ${name} | ${value === null ? '*not said*' : escapeMarkdown(value)} | ${who.length} |`);
  };
  const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `# ${escapeMarkdown(plan.title)}

${many(all.length, 'clip')} of ${many(speakers.length, 'speaker')}, ${hours.toFixed(2)} hours, language ${plan.language}. Licence: ${escapeMarkdown(plan.licence)}. Contact: ${escapeMarkdown(plan.contact)}.

Speakers told about themselves in their own words or by choice; nothing was inferred. They agreed to a text before anything was recorded;
its hash stands with each clip, and the text in \`consent/\`. Whoever withdraws is removed here; from stores of runs by
\`earwitness forget --speaker CODE\`.

| attribute | value | speakers |
|---|---|---|
${plan.attributes.flatMap(({ name }) => counts(name)).join('\n')}

| script | clips |
|---|---|
${plan.scripts.map(({ name, type }) => `| ${name} (${styles[type]}) | ${all.filter(({ script }) => script === name).length} |`).join('\n')}
${quota === null ? '' : `\nOf ${quota.cells.length} combinations of ${quota.attributes.join(' and ')}, ${quota.covered} have ${quota.minimum} speakers or more. ${quota.klToUniform === null ? 'Nobody is in any of them yet, so that there is no divergence from uniform.' : `Divergence from uniform (Kullback-Leibler, by speakers): ${quota.klToUniform.toFixed(3)} nats.`}\n`}
Recorded in browsers as 16-bit PCM at the rate of the device. Asked off, and off as the browser said: echo cancellation ${share(({ settings: s }) => s.echoCancellation === false)}, noise
suppression ${share(({ settings: s }) => s.noiseSuppression === false)}, gain control ${share(({ settings: s }) => s.autoGainControl === false)}. Level, clipping, silence and noise were checked at once; kept all the same: ${share(({ check }) => check.problems.length > 0)}.
`;
}
