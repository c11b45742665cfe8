import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Estimate, Finding } from '../../model/finding.ts';
import type { ClipQuality } from '../../model/trial.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import type { Answer, Batch } from '../contract.ts';
import { inventedContext, measuredClip, spoken } from '../shared/testing/testing.ts';
import { soundQuality } from './sound-quality.ts';

const quality = [
  { name: 'stoi', values: { stoi: 'Intelligibility' }, needsClean: true },
  { name: 'dnsmos', values: { sig: 'Speech', ovr: 'All' }, needsClean: false },
];
const people = Array.from({ length: 12 }, (_, n) =>
  spoken(`u${n}`, null, { speaker: `s${n}`, sound: { file: `${n}.wav` } }),
);

/** The number of the utterance, less the rank of the condition; the second clip of a condition cannot be made. */
async function run(options: object, utterances = people): Promise<{ finding: Finding; asked: string[] }> {
  const context = inventedContext(utterances, [], { quality, ladders: [aequevox] });
  const asked: string[] = [];
  const answersTo = async function* (batch: Batch): AsyncGenerator<Answer> {
    for await (const question of batch.questions()) {
      assert.ok(question.ask === 'measurement');
      const { utterance, condition, draw } = question;
      asked.push(`${utterance.id} ${condition.name} ${draw} ${question.quality!.join()}`);
      const number = Number(utterance.id.slice(1));
      if (number === 1 && condition.rung?.rank === 2) {
        yield { ...question, measurement: null, failure: { kind: 'sound', message: 'no' } };
        continue;
      }
      const stoi: ClipQuality =
        number === 0 ? { values: { stoi: null }, reason: 'silent' } : { values: { stoi: number } };
      const dnsmos: ClipQuality = { values: { sig: -1, ovr: number - (condition.rung?.rank ?? 0) } };
      yield { ...question, measurement: measuredClip({ stoi, dnsmos }) };
    }
  };
  const asking = soundQuality.run(soundQuality.options.parse(options), context);
  let step = await asking.next();
  while (!step.done) step = await asking.next(answersTo(step.value));
  return { finding: step.value, asked };
}

const rowsOf = ({ sections }: Finding, id: string) => sections.find((section) => section.id === id)!.tables![0]!.rows;

test('Every clip is measured once, clean first, and clips without sound are passed over.', async () => {
  const { asked } = await run({ conditions: ['clean', 'aequevox/noise:1'] }, [people[3]!, spoken('text', 'only text')]);
  assert.deepEqual(asked, ['u3 clean 0 stoi,dnsmos', 'u3 aequevox/noise:1 0 stoi,dnsmos']);
});

test('Means have their number of clips and an interval; what has no value is counted with its reason.', async () => {
  const { finding } = await run({ conditions: ['aequevox/noise'] });
  const stoi = rowsOf(finding, 'sound-quality-stoi');
  const cleanMean = stoi[0]!.stoi as Estimate;
  // The mean of 1 to 11.
  assert.equal(cleanMean.value, 6);
  assert.deepEqual(cleanMean.n, { utterances: 11, speakers: 11 });
  assert.ok(cleanMean.low! < 6 && cleanMean.high! > 6);
  assert.deepEqual([stoi[0]!.clips, stoi[0]!.withoutValue, stoi[0]!.why], [12, 1, 'silent']);
  assert.deepEqual([stoi[2]!.clips, stoi[2]!.withoutValue], [12, 2]);
  const dnsmos = rowsOf(finding, 'sound-quality-dnsmos');
  // The mean of 0 to 11, less the rank: 5.5 - 1; a value below 0 has a mean too.
  assert.equal((dnsmos[1]!.ovr as Estimate).value, 4.5);
  assert.equal((dnsmos[1]!.sig as Estimate).value, -1);
  assert.match(finding.warnings.join(), /1 clip could not be made/);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('One condition has a mean, several have a worst one.', async () => {
  const answerTo = async (conditions: string[]) => (await run({ conditions })).finding.answer[0]!.text;
  assert.match(await answerTo(['clean']), /^stoi: mean 6\.00 \(95 % CI [\d.]+-[\d.]+\), over 11 utterances\.$/);
  assert.match(
    await answerTo(['aequevox/noise']),
    /^stoi: lowest in clean, mean 6\.00 \(95 % CI [\d.]+-[\d.]+\), over 11 utterances\.$/,
  );
});

test('A gate tells what it would leave out.', async () => {
  const validity = { measure: 'dnsmos', value: 'ovr', atLeast: 2 };
  const { finding } = await run({ conditions: ['aequevox/noise'], measures: ['dnsmos'], validity });
  // Means of 4.5, (66 - 1 - 22 + 2) / 11, 2.5, 1.5 and 0.5.
  assert.deepEqual(
    rowsOf(finding, 'sound-quality-validity').map(({ kept, excluded }) => [kept, excluded]),
    [
      ['yes', 0],
      ['yes', 0],
      ['yes', 0],
      ['no', 12],
      ['no', 12],
    ],
  );
});

test('Measures that the config does not name are refused.', async () => {
  await assert.rejects(run({ measures: ['pesq'] }), /\(stoi, dnsmos\), but got "pesq"/);
});
