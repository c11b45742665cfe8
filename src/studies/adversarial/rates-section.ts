import type { Chart, Section } from '../../model/finding.ts';
import { column, judgedColumns, recognizerIn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import { type Attack, controlOf, isOwn } from './design.ts';
import { kindName } from './losses-section.ts';
import type { Concluded, Rates } from './results.ts';

const nameOf = ({ kind, condition }: Attack) => (kind === 'beside' ? condition.name : kindName(kind));

/** How often recognizers are wrong under each attack, beside noise. */
export function ratesSection({ design, results, read, options }: Concluded): Section {
  const { attacks, recognizers } = design;
  const rows = results.rates.filter((rates) => isOwn(rates, design));
  const attackOf = ({ attack }: Rates) => attacks[attack]!;
  const besideNoise = (row: Rates) => (row.overNoise === null ? null : beside(row, { results, design }));
  const isPart = rows.some(({ rests }) => rests !== null);
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
        column('attack', 'Attack', 'text', (row) => nameOf(attackOf(row))),
        column('snrDb', 'SNR (dB)', 'number', (row) => attackOf(row).snrDb),
        { key: 'wer', label: 'WER', kind: 'rate' },
        { key: 'cer', label: 'CER', kind: 'rate' },
        {
          key: 'success',
          label: 'Success',
          kind: 'rate',
          help: 'Share of clips whose transcript is far enough from that of the clean clip.',
        },
        column('reachedSnrDb', 'Reached SNR, mean (dB)', 'number', ({ attack }) => read.reached[attack]!.mean),
        column('minReachedSnrDb', 'Reached SNR, min (dB)', 'number', ({ attack }) => read.reached[attack]!.min),
        read.reached.some(({ surrogate }) => surrogate !== null) && {
          ...column('surrogate', 'Surrogate agrees', 'rate', ({ attack }: Rates) => {
            const { surrogate } = read.reached[attack]!;
            return surrogate === null ? null : surrogate.same / surrogate.positions;
          }),
          help: 'Share of the tokens of the references at which the float surrogate that was attacked and the recognizer itself choose the same, on the attacked clips.',
        },
        column('clean', 'WER, clean', 'rate', (row) => besideNoise(row)?.clean ?? null),
        column('noise', 'WER, noise', 'rate', (row) => besideNoise(row)?.noise ?? null),
        isPart &&
          column('over', 'Compared with the noise over', 'text', ({ overNoise, rests }: Rates) =>
            overNoise === null ? null : (rests?.over ?? 'all'),
          ),
        isPart && column('there', 'WER, over these', 'rate', (row: Rates) => besideNoise(row)?.under ?? null),
        { key: 'overNoise', label: 'WER less that of the noise', kind: 'difference' },
        ...judgedColumns(
          'From swapping attack and noise speaker by speaker; corrected for all comparisons that were tested together.',
          (row: Rates) => row.overNoise,
        ),
      ]),
    ],
  };
}

/** WER by SNR, a chart for each recognizer. */
function chartsOf({ design, results }: Pick<Concluded, 'design' | 'results'>): Chart[] {
  const { attacks, recognizers } = design;
  const ratios = [...new Set(attacks.flatMap(({ snrDb }) => (snrDb === null ? [] : [snrDb])))].sort((a, b) => b - a);
  if (ratios.length < 2) return [];
  return recognizers.map(({ name }, recognizer) => {
    const own = results.rates.filter((rates) => rates.recognizer === recognizer && isOwn(rates, design));
    const kinds = [...new Set(own.map(({ attack }) => attacks[attack]!.kind))].filter(
      (kind) => !['clean', 'beside', 'noise-before', 'prepend'].includes(kind),
    );
    return {
      title: `WER of ${named(name)}`,
      xLabel: 'SNR (dB)',
      yLabel: 'WER',
      yKind: 'rate',
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
  { results, design }: Pick<Concluded, 'results' | 'design'>,
) {
  const [clean, noise] = [0, controlOf(attack, design)].map(
    (place) => results.rates.find((one) => one.recognizer === recognizer && one.attack === place)?.wer,
  );
  return { clean, noise: rests?.noise ?? noise, under: rests?.own ?? wer };
}
