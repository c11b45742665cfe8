import type { Cell, Chart, Section } from '../../model/finding.ts';
import { column, judgedColumns, recognizerIn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import { type Attack, controlOf, isOwn } from './design.ts';
import { kindName } from './losses-section.ts';
import type { Known, Rates } from './results.ts';

const ratioOf = ({ snrDb }: Attack): Cell => snrDb;
const nameOf = ({ kind, condition }: Attack) => (kind === 'beside' ? condition.name : kindName(kind));

/** How often recognizers are wrong under each attack, beside noise. */
export function ratesSection({ design, results, tally, options }: Known): Section {
  const { attacks, recognizers } = design;
  const rows = results.rates.filter((rates) => isOwn(rates, design));
  const attackOf = ({ attack }: Rates) => attacks[attack]!;
  const id = 'adversarial-rates';
  return {
    id,
    title: 'Attacks beside noise of the same SNR',
    summary: true,
    text: [
      `An attack succeeds where the transcript is at least ${100 * options.successCer} % of its characters (CER) away from that of the clean clip. The SNR is that of energies over the whole clip.`,
    ],
    charts: chartsOf({ design, results }),
    tables: [
      tableOf(id, 'Error rates by recognizer, attack and SNR', rows, [
        recognizerIn(recognizers),
        { key: 'attack', label: 'Attack', kind: 'text', of: (row) => nameOf(attackOf(row)) },
        { key: 'snrDb', label: 'SNR (dB)', kind: 'number', of: (row) => ratioOf(attackOf(row)) },
        { key: 'wer', label: 'WER', kind: 'rate', of: ({ wer }) => wer },
        { key: 'cer', label: 'CER', kind: 'rate', of: ({ cer }) => cer },
        {
          ...{ key: 'success', label: 'Success', kind: 'rate' },
          help: 'Share of clips whose transcript is far enough from that of the clean clip.',
          of: ({ success }) => success,
        },
        {
          ...{ key: 'reachedSnrDb', label: 'Reached SNR, mean (dB)', kind: 'number' },
          of: ({ attack }) => tally.reached[attack]!.mean,
        },
        {
          ...{ key: 'minReachedSnrDb', label: 'Reached SNR, min (dB)', kind: 'number' },
          of: ({ attack }) => tally.reached[attack]!.min,
        },
        ...(tally.reached.some(({ surrogate }) => surrogate !== null)
          ? [
              {
                ...{ key: 'surrogate', label: 'Surrogate agrees', kind: 'rate' as const },
                help: 'Share of the tokens of the references at which the float surrogate that was attacked and the recognizer itself choose the same, on the attacked clips.',
                of: ({ attack }: Rates) => {
                  const found = tally.reached[attack]!.surrogate;
                  return found === null ? null : found.same / found.positions;
                },
              },
            ]
          : []),
        ...(tally.reached.some(({ calls }) => calls !== null)
          ? [
              {
                ...{ key: 'calls', label: 'Calls for a clip, mean', kind: 'number' as const },
                of: ({ attack }: Rates) => tally.reached[attack]!.calls,
              },
            ]
          : []),
        column(
          'clean',
          'WER, clean',
          'rate',
          (row) => (row.overNoise && beside(row, { results, design }).clean) ?? null,
        ),
        column(
          'noise',
          'WER, noise',
          'rate',
          (row) => (row.overNoise && beside(row, { results, design }).noise) ?? null,
        ),
        ...(rows.some(({ rests }) => rests !== null)
          ? [
              column('over', 'Compared with the noise over', 'text', ({ overNoise, rests }: Rates) =>
                overNoise === null ? null : (rests?.over ?? 'all'),
              ),
              column('there', 'WER, over these', 'rate', (row: Rates) =>
                row.overNoise === null ? null : beside(row, { results, design }).under,
              ),
            ]
          : []),
        {
          ...{ key: 'overNoise', label: 'WER less that of the noise', kind: 'difference' },
          of: ({ overNoise }) => overNoise,
        },
        ...judgedColumns(
          'From swapping attack and noise speaker by speaker; corrected for all comparisons that were tested together.',
          (row: Rates) => row.overNoise,
        ),
      ]),
    ],
  };
}

/** WER by SNR, a chart for each recognizer. */
function chartsOf({ design, results }: Pick<Known, 'design' | 'results'>): Chart[] {
  const { attacks, recognizers } = design;
  const ratios = [...new Set(attacks.flatMap(({ snrDb }) => (snrDb === null ? [] : [snrDb])))].sort((a, b) => b - a);
  if (ratios.length < 2) return [];
  return recognizers.map(({ name }, recognizer) => {
    const own = results.rates.filter((rates) => rates.recognizer === recognizer && isOwn(rates, design));
    const kinds = [...new Set(own.map(({ attack }) => attacks[attack]!.kind))].filter(
      (kind) => !['clean', 'beside', 'noise-before', 'prepend'].includes(kind),
    );
    return {
      ...{ title: `WER of ${named(name)}`, xLabel: 'SNR (dB)', yLabel: 'WER', yKind: 'rate' as const },
      xTicks: ratios.map(String),
      series: kinds.map((kind) => ({
        name: kindName(kind),
        points: own.flatMap(({ attack, wer }) =>
          attacks[attack]!.kind === kind ? [{ x: ratios.indexOf(attacks[attack]!.snrDb!), estimate: wer }] : [],
        ),
      })),
    };
  });
}

/** Of the same recognizer, clean clips, the noise that an attack is held against, and the attack, the last two over the clips that both were answered for. */
export function beside(
  { recognizer, attack, wer, rests }: Rates,
  { results, design }: Pick<Known, 'results' | 'design'>,
) {
  const [clean, noise] = [0, controlOf(attack, design)].map(
    (place) => results.rates.find((one) => one.recognizer === recognizer && one.attack === place)?.wer,
  );
  return { clean, noise: rests?.noise ?? noise, under: rests?.own ?? wer };
}
