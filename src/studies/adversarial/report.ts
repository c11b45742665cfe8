import { formatFixed, grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { About, Estimate, Section, Statement } from '../../model/finding.ts';
import type { ScoreColumn, Scores } from '../../model/scores.ts';
import { claimFrom } from '../shared/claims.ts';
import { reasonOf } from '../shared/estimates.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { speakerWarnings } from '../shared/speaker-warnings.ts';
import {
  comparedWithColumn,
  conditionIn,
  groupColumn,
  judgedColumns,
  recognizerIn,
  tableOf,
} from '../shared/tables.ts';
import { differenceInWords, listed, named, numberInWords } from '../shared/wording.ts';
import { type AttackDesign, controlOf, isAttack } from './design.ts';
import {
  besideNoise,
  besideNoiseSection,
  halfLostSection,
  kindName,
  logRatiosSection,
  lossesSection,
  mutedSection,
  overColumns,
  transferSection,
} from './losses-section.ts';
import { beside, ratesSection } from './rates-section.ts';
import type { AttackResults, Concluded, GroupCost, Rates } from './results.ts';

/** Each attack beside noise at the same ratio, the lowest ratio first; then groups that an attack costs more. */
export function answerOf({ design, results }: Concluded): Statement[] {
  const { attacks, recognizers } = design;
  if (results.rates.every(({ wer }) => wer.n.utterances === 0))
    return [{ text: 'No clip was answered, so nothing can be said.' }];
  // Of whom nothing was answered a warning tells.
  const compared = besideNoise(results, design).filter(({ overNoise }) => overNoise?.difference.value != null);
  const statements = compared.map((rates): Statement => {
    const { recognizer, attack, wer, overNoise, lost, empty, oneWord } = rates;
    const { kind, snrDb, source } = attacks[attack]!;
    const name = named(recognizers[recognizer]!.name);
    const about: About = {
      recognizer: recognizers[recognizer]!.name,
      conditions: [attacks[attack]!.condition.name],
      than: { condition: attacks[controlOf(attack, design)]!.condition.name },
    };
    const quoted = { comparison: overNoise!, kind: 'difference' as const, headline: true as const, about };
    const { clean, noise, under } = beside(rates, { results, design });
    const over = rates.rests === null ? '' : `, over ${rates.rests.over}`;
    const rateOf = (rate: Estimate | undefined) =>
      rate?.value == null ? 'an unknown number' : formatFixed(100 * rate.value, 1);
    const before = kind === 'prepend';
    const against = source === null ? '' : ', made against it';
    const sounds = before
      ? `${rateOf(noise)} behind noise, and ${rateOf(under)} behind prepend of the same length and level`
      : `${rateOf(noise)} in white noise at ${snrDb} dB SNR, and ${rateOf(under)} under ${kindName(kind)} of the same SNR`;
    const claim = claimFrom(
      quoted,
      `than ${before ? 'behind' : 'in'} the noise`,
      (apart) =>
        `${name} makes ${rateOf(clean)} errors in 100 words (WER) on clean clips, ${sounds}${against}${over}: ${apart}`,
    );
    const muted = ` Behind prepend it loses ${rateOf(lost)} of 100 words said; of ${counted(wer.n.utterances, 'transcript')} ${grouped(empty)} are empty, and ${grouped(oneWord)} have one word at most.`;
    return before ? { ...claim, text: `${claim.text}${muted}` } : claim;
  });
  const groups = results.groups
    .filter(({ comparison }) => comparison.verdict !== 'cannot tell')
    .map((one): Statement => {
      const { recognizer, attack, attribute, group, comparedWith, comparison } = one;
      const where = `${named(recognizers[recognizer]!.name)}, ${attacks[attack]!.condition.name}`;
      const more = comparison.verdict === 'worse' ? 'more' : 'less';
      const text = `${where}: the attack costs ${named(attribute)} ${named(group)} ${more} than ${named(comparedWith)}.`;
      const about: About = {
        recognizer: recognizers[recognizer]!.name,
        conditions: [attacks[attack]!.condition.name],
        group: { [attribute]: comparison.verdict === 'worse' ? group : comparedWith },
        than: { condition: attacks[0]!.condition.name },
      };
      return { text, verdict: comparison.verdict, comparison, kind: 'difference', about };
    });
  return [...halfLostInWords(results, design), ...statements, ...groups];
}

function besideNoiseInWords({ recognizer, attack, overNoise }: Rates, { recognizers, attacks }: AttackDesign): string {
  const { verdict } = overNoise!;
  const difference = shownDifference(overNoise!);
  const open = verdict === 'cannot tell' ? '; it may be chance' : '';
  return `${named(recognizers[recognizer]!.name)} under ${kindName(attacks[attack]!.kind)}: ${differenceInWords(difference, 'than in noise of the same SNR')}${open}.`;
}

/** Recognizers by what they lose under each kind of sound. */
export function scoresOf({ results, design }: Concluded): Scores | null {
  const kinds = [...new Set(results.losses.map(({ kind }) => kind))].filter((kind) => kind !== 'all');
  if (kinds.length === 0) return null;
  const table = 'adversarial-losses';
  const size = ({ overNoise }: Rates) =>
    Number(overNoise!.verdict !== 'cannot tell') + Math.abs(overNoise!.difference.value!);
  const [worst] = besideNoise(results, design)
    .filter(({ overNoise }) => overNoise?.difference.value != null)
    .toSorted((a, b) => size(b) - size(a));
  return {
    measure: 'WER',
    found: worst === undefined ? [] : [besideNoiseInWords(worst, design)],
    columns: [
      { words: 'on clean clips', head: ['clean'], rates: { table, column: 'clean' } },
      ...kinds.map((kind): ScoreColumn => {
        const name = kind === 'beside' ? kind : kindName(kind);
        return {
          ...{ words: `more under ${name}`, kind: 'difference', best: null },
          head: ['more under', name],
          rates: { table, column: kind },
        };
      }),
    ],
    ranks: 0,
  };
}

/** For each recognizer the faintest attack that takes half of the words, beside noise that does; nothing where none does. */
function halfLostInWords({ halfLost }: AttackResults, { recognizers, attacks }: AttackDesign): Statement[] {
  return recognizers.flatMap(({ name }, place): Statement[] => {
    const own = halfLost.filter(({ recognizer, snrDb }) => recognizer === place && snrDb.value !== null);
    const worst = own.filter(isAttack).toSorted((a, b) => b.snrDb.value! - a.snrDb.value!)[0];
    if (worst === undefined) return [];
    const noise = halfLost.find(({ recognizer, kind }) => recognizer === place && kind === 'white-noise')?.snrDb;
    const inNoise =
      noise === undefined
        ? ''
        : noise.value === null
          ? ` In white noise: ${reasonOf(noise)}.`
          : ` In white noise ${named(name)} loses half at ${formatFixed(noise.value, 1)} dB SNR.`;
    const text = `${named(name)} loses half of the words under ${kindName(worst.kind)} at ${numberInWords(worst.snrDb, 1, ' dB SNR')}.${inNoise}`;
    const against = attacks.filter(({ kind, source }) => kind === worst.kind && [null, place].includes(source));
    const about: About = {
      recognizer: name,
      conditions: against.map(({ condition }) => condition.name),
      than: { condition: attacks[0]!.condition.name },
    };
    return [{ text, estimate: worst.snrDb, kind: 'decibels', headline: true, about }];
  });
}

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Concluded): Section[] {
  const { read, design } = known;
  return [
    halfLostSection(known.results, design),
    besideNoiseSection(known.results, design),
    mutedSection(known.results, design),
    ratesSection(known),
    lossesSection(known.results, design, known.options.profile),
    transferSection(known.results, design, known.options),
    groupsSection(known),
    logRatiosSection(known.results, design),
    failuresSection(
      'adversarial',
      'A clip that a recognizer did not answer in a condition counts in its others; what an attack costs is over the clips that it answered under the attack and clean, or in noise.',
      askedTrials(known),
    ),
    read.examples.length === 0
      ? null
      : { id: 'adversarial-examples', title: 'Clips that lose most', examples: read.examples },
  ].filter((section) => section !== null);
}

/** Recognizers were not asked everywhere. */
function askedTrials({ cube }: Concluded) {
  return cube.trials.filter(({ asked }) => asked > 0);
}

function groupsSection({ design, results }: Concluded): Section | null {
  if (results.groups.length === 0) return null;
  const id = 'adversarial-groups';
  return {
    id,
    title: 'What an attack costs groups',
    text: ['The cost is the WER under the attack less that of the clean clips of the same speakers.'],
    tables: [
      tableOf(id, 'Cost in WER by group', results.groups, [
        recognizerIn(design.recognizers),
        { ...conditionIn(design.conditions), of: ({ attack }) => design.conditions[attack]!.name },
        { ...groupColumn, of: ({ attribute, group }) => `${attribute} ${group}` },
        ...overColumns(results.groups),
        { key: 'cost', label: 'Cost', kind: 'difference' },
        comparedWithColumn,
        { key: 'costThere', label: 'Cost there', kind: 'difference' },
        { key: 'difference', label: 'Difference', kind: 'difference', of: ({ comparison }) => comparison },
        ...judgedColumns(
          'From dealing speakers to the groups anew; corrected for all comparisons that were tested together.',
          (row: GroupCost) => row.comparison,
        ),
      ]),
    ],
  };
}

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Concluded): string[] {
  const { cube, read, design, options } = known;
  const { utterances, withoutSpeaker, withoutReference } = read;
  const warnings = failureWarnings(
    askedTrials(known),
    'they are left out of rates and of what an attack is compared in, which may flatter it',
  );
  warnings.push(
    ...speakerWarnings(cube.groupsIn('groups'), {
      utterances,
      withoutSpeaker,
      minimumSpeakers: options.minimumSpeakers,
    }),
  );
  if (withoutReference > 0)
    warnings.push(`${counted(withoutReference, 'utterance')} without a reference could not be used.`);
  for (const [attack, { clips, min }] of read.reached.entries()) {
    const { snrDb, condition } = design.attacks[attack]!;
    if (clips > 0 && snrDb !== null && min! < snrDb - 0.01) {
      warnings.push(
        `${named(condition.name)}: a clip reached only ${min!.toFixed(2)} dB where ${snrDb} were asked for.`,
      );
    }
  }
  const below = options.snrDb.filter((snrDb) => snrDb < 0);
  if (options.attacks.includes('kenansville') && below.length > 0) {
    warnings.push(
      `kenansville was not made at ${listed([...new Set(below)].map((snrDb) => `${snrDb} dB`))}: at 0 dB nothing is left of a clip.`,
    );
  }
  const byGradient = options.attacks.filter((attack) => attack !== 'kenansville');
  const closed = design.recognizers.filter((_, place) => !design.sources.includes(place)).map(({ name }) => name);
  if (byGradient.length > 0 && closed.length > 0) {
    warnings.push(
      `No sound was made against ${listed(closed.map(named))}: under ${listed(byGradient)} ${closed.length === 1 ? 'it heard' : 'they heard'} at most what was made against others, which says little of what an attack on ${closed.length === 1 ? 'it' : 'them'} could do.`,
    );
  }
  return warnings;
}
