import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateAt } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import type { Answer } from '../contract.ts';
import {
  inventedContext,
  inventedRun,
  measuredClip,
  near,
  type OtherInvention,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';
import { isPaperBaseline, srbDifficulty } from './srb-difficulties.ts';

const text = 'a red dog ran over the low wall at noon';
const utterance = (id: string, attributes: Readonly<Record<string, string>>, more = {}) =>
  spoken(id, text, { language: 'en', speaker: id, sound: { file: `${id}.wav` }, attributes, ...more });
const utterances = [
  ...['a1', 'a2', 'a3'].map((id) => utterance(id, { corpus: 'librispeech' })),
  ...['b1', 'b2'].map((id) => utterance(id, { corpus: 'ted-lium' })),
  ...['x1', 'x2'].map((id) => utterance(id, { corpus: 'accents' })),
];
const dnsmos = { name: 'dnsmos', values: { ovr: 'overall', p808: 'P.808' }, needsClean: false };
const pesq = { name: 'pesq', values: { wideMosLqo: 'wide-band' }, needsClean: true };

/** Two words of ten are wrong clean, and four elsewhere. */
const says = ({ condition }: Trial) => text.replace(condition.name === 'clean' ? 'a red' : 'a red dog ran', 'x x');

/** Means of quality published for LibriSpeech with bass 1 and 4, and of accented Common Voice; by what is measured. */
const means: Readonly<Record<string, { readonly p808: number; readonly wideMosLqo: number | null }>> = {
  'srb/bass:1': { p808: 3.7727, wideMosLqo: 4.1336 },
  'srb/bass:4': { p808: 3.2119, wideMosLqo: 2.3692 },
  'srb/tempo_up:1': { p808: 3.2119, wideMosLqo: null },
  'srb/treble:1': { p808: 3.9, wideMosLqo: 4.6 },
  clean: { p808: 3.4975, wideMosLqo: 4.64 },
};

async function measured(options: object, quality = [dnsmos, pesq]) {
  const asked: string[] = [];
  /** Around the mean by a tenth: up and down, and in the middle of three. */
  const measure: OtherInvention = (question): Answer => {
    assert.ok(question.ask === 'measurement');
    const { condition, utterance: of, draw } = question;
    if (condition.steps.length === 0 && question.quality === undefined)
      return { ...question, measurement: measuredClip({}) };
    asked.push(`${of.id} ${condition.name} ${draw} ${question.quality!.join('+')}`);
    const around = [0.1, -0.1, 0][Number(of.id[1]) - 1]!;
    const { p808, wideMosLqo } = means[condition.name]!;
    const all = {
      dnsmos: { values: { ovr: 1, p808: p808 + around } },
      pesq:
        wideMosLqo === null
          ? { values: { wideMosLqo }, reason: 'the time was changed' }
          : { values: { wideMosLqo: wideMosLqo + around } },
    };
    const found = Object.fromEntries(question.quality!.map((name) => [name, all[name as keyof typeof all]]));
    return { ...question, measurement: measuredClip(found) };
  };
  const finding = await inventedRun(
    robustness,
    { difficulties: 'measured', minimumSpeakers: 2, resamples: 200, ...options },
    inventedContext(utterances, [recognizerNamed('r')], { quality, ladders: [srb] }),
    says,
    [],
    measure,
  );
  return { finding, asked, points: rowsOf(finding, 'robustness-difficulties') };
}

const accents = { name: 'accent', where: { corpus: 'accents' }, category: 'accent', baseline: 'librispeech' };

test('Measured quality has the points that the benchmark’s tables have for the same means, and rates are divided by them.', async () => {
  const { points, finding, asked } = await measured({
    conditions: ['srb/bass:1', 'srb/bass:4'],
    recorded: [accents],
  });
  const told = points.map((row) => [row.condition, row.corpus, estimateAt(row, 'points').value?.toFixed(2)]);
  // The tables give 14.093, 52.3921 and 31.6312 for these means of four decimals.
  assert.deepEqual(told, [
    ['srb/bass:1', 'librispeech', '14.09'],
    ['srb/bass:1', 'ted-lium', '14.09'],
    ['srb/bass:4', 'librispeech', '52.39'],
    ['srb/bass:4', 'ted-lium', '52.39'],
    ['accent', 'accents', '31.63'],
  ]);
  const first = estimateAt(points[0]!, 'points');
  assert.deepEqual(first.n, { utterances: 3, speakers: 3 });
  assert.ok(first.low! < first.value! && first.high! > first.value!);
  // Recordings as they are have nothing to be compared with: PESQ is neither asked for nor in their points.
  assert.equal(estimateAt(points.at(-1)!, 'pesq').value, null);
  assert.ok(asked.includes('x1 clean 0 dnsmos') && asked.includes('a1 srb/bass:1 0 dnsmos+pesq'));
  assert.equal(asked.length, 2 * 5 + 2);
  near(rowOf(finding, 'robustness-scenarios', { name: 'srb/bass:4' }).normalizedRate, 0.4 / 0.523921, 1e-3);
  assert.match(String(finding.settings.difficulties), /dnsmos and pesq on this run’s clips, PESQ centred at 62.5/);
});

test('A time that was stretched has DNSMOS alone, and one measure of the config is enough.', async () => {
  const [row] = (await measured({ conditions: ['srb/tempo_up:1'] })).points;
  near(row!.points, 50 + (25 * (3.20497 - 3.2119)) / 0.398176, 1e-9);
  const { value, reason } = estimateAt(row!, 'pesq');
  assert.deepEqual([value, reason], [null, { code: 'text', text: 'the time was changed' }]);
  const [alone] = (await measured({ conditions: ['srb/bass:4'] }, [pesq])).points;
  assert.equal(alone!.dnsmos, null);
  near(alone!.points, 62.5 + (25 * (2.058964 - 2.3692)) / 1.065666, 1e-9);
});

test('As the paper’s text says PESQ is centred at 50; what is not above 0 divides nothing, and says so.', async () => {
  const options = { conditions: ['srb/bass:1', 'srb/treble:1'], profile: 'srb-paper' };
  const { finding } = await measured(options, [pesq]);
  const difficulty = (condition: string) => rowOf(finding, 'robustness-difficulties', { condition });
  near(difficulty('srb/bass:1').points, 50 + (25 * (2.042702 - 4.1336)) / 1.051719, 1e-9);
  near(difficulty('srb/treble:1').points, 50 + (25 * (2.042702 - 4.6)) / 1.051719, 1e-9);
  const rateOf = (name: string) => estimateAt(rowOf(finding, 'robustness-scenarios', { name }), 'normalizedRate');
  assert.equal(rateOf('srb/treble:1').value, null);
  assert.match(reasonText(rateOf('srb/treble:1').reason!), /\(-10.8\) is not above 0/);
  near(rateOf('srb/bass:1'), (0.4 * 100) / estimateAt(difficulty('srb/bass:1'), 'points').value!, 1e-9);
});

test('A config without either measure is told what to add.', async () => {
  await assert.rejects(measured({ conditions: ['srb/bass:1'] }, []), {
    code: 'bad-config',
    message: /expected dnsmos or pesq .*it names none; add one of them/,
  });
});

test('Corpora have the published difficulties by whatever name they are loaded, and the paper’s baselines are known.', async () => {
  const of = (corpus: string) => srbDifficulty({ corpus, language: 'en' }, 'bass', 1).value;
  assert.deepEqual(['TEDLIUM', 'ted-lium', 'librispeech', 'mine'].map(of), [21.7094, 21.7094, 14.093, 14.093]);
  assert.ok(isPaperBaseline('LibriSpeech', 'en') && isPaperBaseline('multilingual-librispeech', 'es'));
  assert.ok(
    !isPaperBaseline('ted-lium', 'en') && !isPaperBaseline('librispeech', 'de') && !isPaperBaseline(null, 'en'),
  );
  // Unnamed, the baseline of recordings is LibriSpeech for the paper, and a matter of choice soundly.
  const lossOf = async (profile: string) => {
    const { finding } = await measured({
      conditions: ['srb/bass:1'],
      recorded: [{ ...accents, baseline: null }],
      profile,
      difficulties: 'srb',
    });
    return estimateAt(rowOf(finding, 'robustness-scenarios', { name: 'accent' }), 'degradation');
  };
  near(await lossOf('srb-paper'), 0);
  assert.equal((await lossOf('sound')).value, null);
});
