import type { BarChart, Cell, Column, HeatMap, Plane, Section } from '../../model/finding.ts';
import { paretoFront } from '../../statistics/pareto-front.ts';
import {
  column,
  comparedWithColumn,
  conditionIn,
  groupColumn,
  namedColumns,
  recognizerIn,
  tableOf,
} from '../shared/tables.ts';
import { listed, named } from '../shared/wording.ts';
import { type Attack, type AttackDesign, controlOf, isAttack, isOwn } from './design.ts';
import type { AdversarialOptions } from './options.ts';
import type { AttackResults, Rates } from './results.ts';

/** What a kind of sound is called in tables. */
export function kindName(kind: Attack['kind'] | 'all'): string {
  if (kind === 'all') return 'mean of pgd and universal';
  return kind === 'beside' ? 'conditions beside' : kind.replace('-', ' ');
}

/** What a number rests on, where it is not all. */
export function overColumns<Row extends { readonly over: string | null }>(rows: readonly Row[]) {
  return rows.some(({ over }) => over !== null)
    ? [column('over', 'Over', 'text', ({ over }: Row) => over ?? 'all')]
    : [];
}

/** What a sound before every clip takes away, beside noise there. */
export function mutedSection({ rates }: AttackResults, design: AttackDesign): Section | null {
  const { attacks, recognizers } = design;
  if (attacks.every(({ kind }) => kind !== 'prepend')) return null;
  const rows = rates.filter((row) => ['clean', 'noise-before', 'prepend'].includes(attacks[row.attack]!.kind));
  const id = 'adversarial-muted';
  return {
    id,
    title: 'Clips behind a sound that mutes',
    summary: true,
    text: [
      'prepend puts one short sound before every clip, fitted so that the text ends where it begins. Its control is the same samples in random order: noise of the same length and level. Words are lost that are substituted or deleted. Recognizers that suppress an end at the beginning, as most exports of Whisper do, write one token at least.',
    ],
    tables: [
      tableOf(id, 'Words lost behind a sound, and transcripts of no word or one', rows, [
        recognizerIn(recognizers),
        column('attack', 'Before the clip', 'text', ({ attack }) => {
          const { kind } = attacks[attack]!;
          return kind === 'clean' ? 'nothing' : kind === 'prepend' ? 'prepend' : 'noise';
        }),
        column('source', 'Made against', 'text', ({ attack }) => {
          const { source } = attacks[attack]!;
          return source === null ? null : recognizers[source]!.name;
        }),
        { key: 'lost', label: 'Words lost', kind: 'rate' },
        { key: 'empty', label: 'Empty transcripts', kind: 'count' },
        { key: 'oneWord', label: 'Of one word at most', kind: 'count' },
        column('clips', 'Clips', 'count', ({ wer }) => wer.n.utterances),
      ]),
    ],
  };
}

/** At which SNR half of the words are lost. */
export function halfLostSection(results: AttackResults, design: AttackDesign): Section | null {
  if (results.halfLost.length === 0) return null;
  const id = 'adversarial-half-lost';
  const { recognizers } = design;
  const kinds = [...Map.groupBy(results.halfLost, ({ kind }) => kind)];
  // Recognizers are ranked by the attack that takes half of the words from most of them.
  const known = (kind: Attack['kind']) =>
    results.halfLost.filter((one) => one.kind === kind && one.snrDb.value !== null && isAttack(one)).length;
  const rows = kinds.toSorted(([a], [b]) => known(b) - known(a)).flatMap(([, own]) => own);
  return {
    id,
    title: 'Half of the words lost',
    summary: true,
    text: [
      'The SNR at which half of the words said are lost (substituted or deleted), read by a straight line in decibels from the SNRs that were asked: those of snrDb, or (searched) others between them that the answers led to. The higher it is, the fainter a sound does it.',
    ],
    bars: [
      {
        title: 'SNR at which half of the words are lost',
        ...{ label: 'SNR', kind: 'decibels', series: recognizers.map(({ name }) => name) },
        rows: kinds.map(([kind, own]) => ({
          name: kindName(kind),
          values: recognizers.map((_, place) => own.find(({ recognizer }) => recognizer === place)?.snrDb ?? null),
        })),
      },
    ],
    tables: [
      tableOf(id, 'SNR at which half of the words are lost', rows, [
        recognizerIn(design.recognizers),
        column('attack', 'Sounds', 'text', ({ kind }) => kindName(kind)),
        {
          ...{ key: 'snrDb', label: 'SNR where half of the words are lost', kind: 'decibels' },
          ...(isHalfLost(results) && { ranks: true as const }),
        },
        column('how', 'Found', 'text', ({ searched }) => (searched ? 'searched' : 'read')),
        { key: 'asked', label: 'SNRs asked', kind: 'count' },
      ]),
    ],
  };
}

/** Whether an attack takes half of the words: then the first claim is of that, and recognizers are ranked by it. */
function isHalfLost({ halfLost }: AttackResults): boolean {
  return halfLost.some((one) => one.snrDb.value !== null && isAttack(one));
}

/** Of each attack on each recognizer what says most beside noise, the lowest ratio; attacks that know a recognizer first. */
export function besideNoise({ rates }: AttackResults, design: AttackDesign): Rates[] {
  const { attacks } = design;
  const order = ({ attack }: Rates) => (attacks[attack]!.source === null ? 1 : 0);
  // Without a ratio is prepend alone: what is under every word comes first. Never infinity less infinity.
  const ratio = ({ attack }: Rates) => attacks[attack]!.snrDb ?? Number.MAX_VALUE;
  const own = rates
    .filter((one) => one.overNoise !== null && isOwn(one, design))
    .toSorted((a, b) => order(a) - order(b) || ratio(a) - ratio(b));
  const seen = new Set<string>();
  return own.filter(({ recognizer, attack }) => {
    const place = `${recognizer} ${attacks[attack]!.kind}`;
    return !seen.has(place) && seen.add(place);
  });
}

/** The same, recognizers beside each other: what the answer claims where no attack takes half of the words. */
export function besideNoiseSection(results: AttackResults, design: AttackDesign): Section | null {
  const { attacks, recognizers } = design;
  const soundOf = ({ attack }: Rates) => {
    const { kind, snrDb } = attacks[attack]!;
    return snrDb === null ? kindName(kind) : `${kindName(kind)} at ${snrDb} dB SNR`;
  };
  const sounds = [...Map.groupBy(besideNoise(results, design), soundOf)];
  // The first that several recognizers heard is ranked.
  const ranked = sounds.find(([, own]) => own.length > 1);
  if (ranked === undefined) return null;
  const id = 'adversarial-beside-noise';
  const label = 'WER less that of the noise';
  const rows = [ranked, ...sounds.filter((one) => one !== ranked)].flatMap(([, own]) => own);
  return {
    id,
    title: 'Attacks beside noise, the loudest of each',
    bars: [
      {
        title: `${label} of the same SNR`,
        ...{ label, kind: 'difference', series: recognizers.map(({ name }) => name) },
        rows: sounds.map(([name, own]) => ({
          name,
          values: recognizers.map(
            (_, place) => own.find(({ recognizer }) => recognizer === place)?.overNoise?.difference ?? null,
          ),
        })),
      },
    ],
    tables: [
      tableOf(id, `${label} of the same SNR, by attack at its lowest SNR`, rows, [
        recognizerIn(recognizers),
        column('attack', 'Sounds', 'text', soundOf),
        {
          ...{ key: 'overNoise', label: sounds.length > 1 ? label : `${label}, ${ranked[0]}`, kind: 'difference' },
          ...(!isHalfLost(results) && { ranks: true as const }),
        },
      ]),
    ],
  };
}

/** What each kind of sound costs, as Speech Robust Bench has it, and attacks beside what merely disturbs. */
export function lossesSection(
  { losses, rates }: AttackResults,
  design: AttackDesign,
  profile: 'sound' | 'srb',
): Section | null {
  if (losses.length === 0) return null;
  const { recognizers } = design;
  const changeOf = (recognizer: number, kind: (typeof losses)[number]['kind']) =>
    losses.find((one) => one.recognizer === recognizer && one.kind === kind)?.change ?? null;
  const kinds = [...new Set(losses.map(({ kind }) => kind))].filter((kind) => kind !== 'pgd' && kind !== 'universal');
  const others = kinds.filter((kind) => kind !== 'all');
  const rows = recognizers.map((_, recognizer) => ({ recognizer }));
  const id = 'adversarial-losses';
  const table = tableOf(id, 'Change from clean (WERD), mean over the conditions of a kind', rows, [
    recognizerIn(recognizers),
    column('clean', 'Clean WER', 'rate', ({ recognizer }) => {
      return rates.find((one) => one.recognizer === recognizer && one.attack === 0)?.wer ?? null;
    }),
    {
      ...column('universal', 'Adv (UA)', 'difference', ({ recognizer }) => changeOf(recognizer, 'universal')),
      help: 'Utterance-agnostic: one sound for all clips (universal).',
    },
    {
      ...column('pgd', 'Adv (US)', 'difference', ({ recognizer }) => changeOf(recognizer, 'pgd')),
      help: 'Utterance-specific: a sound for each clip (pgd). Each recognizer heard sounds made against itself.',
    },
    {
      ...column('all', 'AVG', 'difference', ({ recognizer }) => changeOf(recognizer, 'all')),
      help: 'Mean of the two columns, or the one that there is.',
    },
    ...others.map((kind) => ({
      ...{ key: kind, label: `Under ${kindName(kind)}`, kind: 'difference' as const },
      of: ({ recognizer }: (typeof rows)[number]) => changeOf(recognizer, kind),
    })),
  ]);
  const part = losses.flatMap(({ recognizer, kind, over }) =>
    over === null ? [] : [`${named(recognizers[recognizer]!.name)} under ${kindName(kind)} over ${over}`],
  );
  const rests = part.length === 0 ? '' : ` Not all was answered: ${listed(part)}.`;
  const other = others.includes('beside') ? 'beside' : 'white-noise';
  const attacks = (['all', ...others] as const).filter((kind) => kind === 'all' || isAttack({ kind }));
  return {
    id,
    title: 'Attacks beside other disturbances',
    text: [
      `A column is the mean over its conditions of the WER less that of the clean clips${profile === 'srb' ? '; less than 0 in a condition is taken for 0, as in the program of Speech Robust Bench' : ''}. Tables and figures of Speech Robust Bench over all its scenarios: study robustness with conditions: [srb, srb/pgd, srb/universal_adv].`,
    ],
    planes: attacks.flatMap((kind) => planeOf(kind) ?? []),
    tables: [{ ...table, note: `A dash: no such sound was made against it.${rests}` }],
  };

  function planeOf(kind: (typeof attacks)[number]): Plane | null {
    const points = recognizers.flatMap(({ name }, recognizer) => {
      const [x, y] = [changeOf(recognizer, other), changeOf(recognizer, kind)];
      return x === null || y === null || x.value === null || y.value === null ? [] : [{ name, x, y }];
    });
    if (points.length < 2) return null;
    const what = kind === 'all' ? 'attacks by gradient' : kindName(kind);
    return {
      title: `Change from clean under ${what}, against that under ${kindName(other)}`,
      ...{ xLabel: `Change under ${kindName(other)}`, xKind: 'difference' },
      ...{ yLabel: `Change under ${what}`, yKind: 'difference', points },
      front: paretoFront(
        points.map(({ x, y }) => [x.value!, y.value!]),
        ['minimize', 'minimize'],
      ),
    };
  }
}

/** How many times as many errors groups suffer, by kind of sound: Figs 7 and 12 of Speech Robust Bench. */
export function logRatiosSection({ logRatios }: AttackResults, { recognizers }: AttackDesign): Section | null {
  if (logRatios.length === 0) return null;
  const id = 'adversarial-log-ratios';
  const pairs = Map.groupBy(logRatios, ({ attribute, group, comparedWith }) =>
    JSON.stringify([attribute, group, comparedWith]),
  );
  return {
    id,
    title: 'Errors of groups',
    text: [
      'How many times as many errors one group has as the other, as a power of 2: 0 is as many, 1 twice, −1 half as many (LWERR of Speech Robust Bench; each WER is a mean over the conditions of a kind).',
    ],
    bars: [...pairs.values()].map((rows): BarChart => {
      const { attribute, group, comparedWith } = rows[0]!;
      return {
        title: `${named(attribute)}: ${named(group)} over ${named(comparedWith)}`,
        ...{ label: 'Times as many errors, as a power of 2 (LWERR)', kind: 'number' },
        series: recognizers.map(({ name }) => name),
        rows: [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, own]) => ({
          name: kindName(kind),
          values: recognizers.map((_, place) => own.find(({ recognizer }) => recognizer === place)?.ratio ?? null),
        })),
      };
    }),
    tables: [
      tableOf(id, 'Ratio of error rates between groups', logRatios, [
        recognizerIn(recognizers),
        column('attack', 'Sounds', 'text', ({ kind }) => kindName(kind)),
        { ...groupColumn, of: ({ attribute, group }) => `${attribute} ${group}` },
        comparedWithColumn,
        ...overColumns(logRatios),
        { key: 'ratio', label: 'Times as many errors, as a power of 2 (LWERR)', kind: 'number' },
        column('rate', 'Rate of the group', 'rate', ({ rates }) => rates[0]),
        column('otherRate', 'Rate of the other', 'rate', ({ rates }) => rates[1]),
      ]),
    ],
  };
}

/** Sounds made against one recognizer, heard by each; null where each heard its own alone. */
export function transferSection(
  results: AttackResults,
  design: AttackDesign,
  options: AdversarialOptions,
): Section | null {
  const { attacks, recognizers } = design;
  if (!options.transfer || attacks.every(({ source }) => source === null) || recognizers.length < 2) return null;
  const columns = namedColumns(
    recognizers.map(({ name }) => name),
    'rate',
    ['condition'],
  );
  const rows = attacks.flatMap(({ kind, source }, attack) =>
    source !== null || kind === 'clean' || kind === 'white-noise' ? [{ attack, condition: attack }] : [],
  );
  const id = 'adversarial-transfer';
  const table = tableOf(id, 'WER by what the sound was made against (rows) and who heard it (columns)', rows, [
    conditionIn(design.conditions),
    ...columns.map((column: Column, recognizer) => ({
      ...column,
      of: ({ attack }: (typeof rows)[number]): Cell =>
        results.rates.find((rates) => rates.attack === attack && rates.recognizer === recognizer)?.wer ?? null,
    })),
  ]);
  return {
    id,
    title: 'Transfer from one recognizer to another',
    text: [
      'A row of an attack is one set of sounds: made against the recognizer that it names, and played to all. Shaded: the WER less that under white noise of the same SNR; marked where that can be told from 0.',
    ],
    heatMaps: heatMapsOf(results, design),
    tables: [table],
  };
}

/** What attacks cost beyond noise, made against (rows) and heard by (columns), a map for each kind and ratio. */
function heatMapsOf(results: AttackResults, design: AttackDesign): HeatMap[] {
  const { attacks, recognizers } = design;
  const made = [...attacks.keys()].filter((attack) => attacks[attack]!.source !== null && isAttack(attacks[attack]!));
  const maps = Map.groupBy(made, (attack) => {
    const { kind, snrDb } = attacks[attack]!;
    return snrDb === null ? kindName(kind) : `${kindName(kind)}, ${snrDb} dB`;
  });
  return [...maps].flatMap(([title, own]): HeatMap[] => {
    const rows = own.map((attack) => ({
      name: `against ${named(recognizers[attacks[attack]!.source!]!.name)}`,
      cells: recognizers.flatMap((_, place) => {
        const rates = results.rates.find((one) => one.attack === attack && one.recognizer === place);
        return rates?.overNoise ? [rates.overNoise] : [];
      }),
    }));
    if (rows.some(({ cells }) => cells.length < recognizers.length)) return [];
    const than = kindName(attacks[controlOf(own[0]!, design)]!.kind);
    return [
      {
        title: `WER over ${than}: ${title}`,
        ...{ kind: 'difference', rowLabel: 'Made', than },
        columns: recognizers.map(({ name }) => name),
        rows,
      },
    ];
  });
}
