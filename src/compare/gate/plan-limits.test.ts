import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { GateLimit } from '../../model/gate.ts';
import type { Utterance } from '../../model/utterance.ts';
import { gather } from '../../studies/shared/sliced-counts.ts';
import type { BaselineTrial } from './baseline.ts';
import { checkLimits } from './check-limits.ts';
import { gateOptions } from './limits.ts';
import { planLooks } from './looks.ts';
import { planAsking, planLimits } from './plan-limits.ts';
import { createReleases } from './simulated-releases.ts';

/** Ten clips of ten words for each speaker, one error in every second clip. */
function trialsOf(speakers: number) {
  const utterances = new Map<string, Utterance>();
  const trials: BaselineTrial[] = [];
  for (let index = 0; index < 10 * speakers; index++) {
    const id = `u${index}`;
    const speaker = `s${Math.floor(index / 10)}`;
    utterances.set(id, { id, language: 'en', speaker, attributes: {}, tags: [] });
    const question = { recognizer: 'asr', condition: 'clean', utterance: id, draw: 0, repeat: 0, content: '' };
    trials.push({ ...question, words: 10, errors: index % 2 });
  }
  return { trials, utterances };
}
const limitsOf = (limits: readonly object[]) => gateOptions.parse({ limits }).limits as GateLimit[];
const planned = (speakers: number, limits: readonly object[], more: object = {}) => {
  const { trials, utterances } = trialsOf(speakers);
  const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, anew: 1, loss: 0.04, releases: 40, ...more };
  return planLimits(trials, utterances, limitsOf(limits), settings).limits;
};

test('More speakers see a smaller loss, and a loss is seen the more often the larger it is.', () => {
  const [few] = planned(8, [{ worseBy: 0 }]);
  const [many] = planned(40, [{ worseBy: 0 }]);
  assert.ok(many!.detectable! < few!.detectable!);
  assert.ok(few!.unchanged.fails <= 0.1 && many!.unchanged.fails <= 0.1);
  assert.equal(many!.losses.at(-1)!.fails, 1);
  assert.ok(
    many!.losses.find(({ loss }) => loss === 0.04)!.fails > few!.losses.find(({ loss }) => loss === 0.04)!.fails,
  );
});

test('How many speakers a loss needs goes with the square of how much smaller it is than what these see.', () => {
  const [plan] = planned(20, [{ worseBy: 0.01 }], { releases: 10 });
  const { detectable, speakersForLoss } = plan!;
  assert.equal(speakersForLoss, Math.ceil(20 * ((detectable! - 0.01) / 0.03) ** 2));
  assert.equal(planned(20, [{ worseBy: 0.04 }], { releases: 5 })[0]!.speakersForLoss, null);
});

test('Speakers without an error say nothing of how the errors of others vary.', () => {
  const { trials, utterances } = trialsOf(40);
  const isSilent = ({ utterance }: BaselineTrial) => Number(utterance.slice(1)) >= 100;
  for (const [id, utterance] of utterances)
    utterances.set(id, { ...utterance, attributes: { errors: Number(id.slice(1)) >= 100 ? 'none' : 'some' } });
  const settings = { level: 0.95, minimumSpeakers: 10, seed: 1, anew: 1, loss: 0, releases: 300 };
  const limits = limitsOf([{ worseBy: 0.02, group: { errors: 'some' } }]);
  // The smaller the chance of each count, the more of what did not change passes.
  const passing = (own: readonly BaselineTrial[]) =>
    planAsking(own, utterances, limits, { ...settings, askUntil: 'verdict' })[0]!.passes;
  const alike = passing(trials);
  const beside = passing(trials.map((trial) => (isSilent(trial) ? { ...trial, errors: 0 } : trial)));
  assert.ok(Math.abs(beside - alike) < 0.1, `${beside} beside ${alike}`);
});

test('A release like one that fails by a hair fails every second time: its own chance is not counted twice.', () => {
  const random = createRandom('few words of each speaker');
  const { trials, utterances } = trialsOf(6);
  // Sixty speakers of ten words each, all with a true rate of .3: what differs between them is chance.
  for (const [id, utterance] of utterances) utterances.set(id, { ...utterance, speaker: id });
  const own = trials.map((trial) => ({
    ...trial,
    errors: Array.from({ length: 10 }, () => random.next()).filter((draw) => draw < 0.3).length,
  }));
  const rate = own.reduce((sum, { errors }) => sum + errors, 0) / 600;
  const error = Math.sqrt(own.reduce((sum, { errors }) => sum + (errors - 10 * rate) ** 2, 0)) / 600;
  // The lower end of a 95 % interval stands at the limit.
  const limits = limitsOf([{ wer: rate - 1.96 * error }]);
  const settings = { level: 0.95, minimumSpeakers: 10, seed: 1, anew: 1, loss: 0, releases: 100 };
  const [plan] = planLimits(own, utterances, limits, settings).limits;
  // Of 100 releases a half, with a standard error of 5; where chance counted twice, intervals were 1.41 times as wide and 21 failed.
  assert.ok(Math.abs(plan!.unchanged.fails - 0.5) < 0.13, `${plan!.unchanged.fails}`);
});

test('A loss that an absolute limit leaves room for is not to be seen by any number of speakers.', () => {
  const [plan] = planned(20, [{ wer: 0.1 }], { loss: 0.04, releases: 10 });
  assert.ok(Math.abs(plan!.room! - 0.05) < 1e-12, `${plan!.room}`);
  assert.equal(plan!.speakersForLoss, null);
  const [more] = planned(20, [{ wer: 0.1 }], { loss: 0.07, releases: 10 });
  assert.equal(more!.speakersForLoss, Math.ceil(20 * ((more!.detectable! - 0.05) / 0.02) ** 2));
});

test('Five speakers can never fail a change: no loss is told from chance.', () => {
  const [plan] = planned(5, [{ worseBy: 0 }], { releases: 10 });
  assert.deepEqual([plan!.detectable, plan!.speakersForLoss], [null, null]);
  assert.ok(plan!.losses.every(({ fails }) => fails === 0));
});

test('A recognizer that answers nothing anew has the same errors, and passes always.', () => {
  assert.deepEqual(planned(8, [{ worseBy: 0 }], { anew: 0 })[0]!.unchanged, { passes: 1, fails: 0 });
});

test('What is counted has nothing to plan.', () => {
  assert.deepEqual(planned(8, [{ failures: 0.1 }]), []);
});

test('A release that loses much is asked little of, and one near a limit all; what is asked at once decides as often.', () => {
  const { trials, utterances } = trialsOf(60);
  const settings = { level: 0.95, minimumSpeakers: 10, seed: 1, anew: 1, releases: 40, askUntil: 'verdict' as const };
  const plan = (worseBy: number, loss: number) =>
    planAsking(trials, utterances, limitsOf([{ worseBy }]), { ...settings, loss });
  const [none, lost] = plan(0.05, 0.2);
  assert.deepEqual([none!.loss, lost!.loss], [0, 0.2]);
  assert.ok(lost!.fails === 1 && lost!.asked < 0.4, `${lost!.asked}`);
  // A pass needs 29 speakers.
  assert.ok(none!.passes > 0.9 && none!.asked >= 29 / 60 && none!.asked < 0.8, `${none!.asked}`);
  const [, edge] = plan(0.02, 0.02);
  assert.ok(edge!.asked > 0.9, `${edge!.asked}`);
  assert.ok(edge!.fails <= 0.125 && edge!.passes <= 0.125);
  assert.deepEqual(planAsking(trials, utterances, limitsOf([{ failures: 0.1 }]), { ...settings, loss: 0.1 }), []);
});

test('What a group of a language may lose is that of its own clips.', () => {
  const { trials, utterances } = trialsOf(20);
  // The first ten speakers speak German, without an error.
  const isGerman = (id: string) => Number(id.slice(1)) < 100;
  for (const [id, utterance] of utterances) if (isGerman(id)) utterances.set(id, { ...utterance, language: 'de' });
  const own = trials.map((trial) => (isGerman(trial.utterance) ? { ...trial, errors: 0 } : trial));
  const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, anew: 1, loss: 0.04, releases: 10 };
  const limits = limitsOf(['de', 'en'].map((language) => ({ wer: 0.1, group: { language } })));
  const rooms = planLimits(own, utterances, limits, settings).limits.map(({ room }) => room!);
  // Of the English words, one in twenty is wrong.
  assert.deepEqual(
    rooms.map((room) => Number(room.toFixed(3))),
    [0.1, 0.05],
  );
});

test('What a limit of one condition leaves room for is that of this condition alone.', () => {
  const { trials, utterances } = trialsOf(20);
  const noisy = trials.map((trial) => ({ ...trial, condition: 'noise', errors: 5 }));
  const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, anew: 1, loss: 0.04, releases: 2 };
  const limits = limitsOf([
    { wer: 0.7, condition: 'clean' },
    { wer: 0.7, condition: 'noise' },
    { wer: 0.7, condition: 'all' },
  ]);
  const rooms = planLimits([...trials, ...noisy], utterances, limits, settings).limits.map(({ room }) =>
    Number(room!.toFixed(6)),
  );
  // Rates of .05, .5 and, together, .275.
  assert.deepEqual(rooms, [0.65, 0.2, 0.425]);
});

test('A release that lost ten points has ten points more errors, however many words were wrong before.', () => {
  const { trials, utterances } = trialsOf(100);
  for (const errors of [0, 5, 8]) {
    const own = trials.map((trial) => ({ ...trial, errors }));
    const release = createReleases(own, utterances, [], 0)(0.1, createRandom(`lost ${errors}`));
    release.add(own);
    const { slices, series } = release.tally();
    const rate = (which: 'before' | 'after') => {
      const { counts } = gather(slices.whole(), series('asr', 'clean', which));
      const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
      return sum(counts.numerators) / sum(counts.denominators);
    };
    // Ten thousand words: a standard error of .3 points.
    assert.ok(Math.abs(rate('after') - rate('before') - 0.1) < 0.015, `${errors}: ${rate('after') - rate('before')}`);
  }
});

test('Where verdicts alone are asked for they are those of the gate, for every kind of limit and at a look.', () => {
  const seen = new Set<string>();
  for (const apart of [0, 2]) {
    const usual = trialsOf(24);
    const sexOf = (id: string) => (Number(id.slice(1)) % 20 < 10 ? 'female' : 'male');
    const utterances = new Map(
      [...usual.utterances].map(([id, utterance]) => [id, { ...utterance, attributes: { sex: sexOf(id) } }]),
    );
    const trials = usual.trials.map((trial) => ({
      ...trial,
      errors: trial.errors + (sexOf(trial.utterance) === 'male' ? apart : 0),
    }));
    const limits = limitsOf([{ worseBy: 0.02 }, { wer: 0.2 }, { gap: 0.1, by: 'sex' }]);
    for (const [release, loss] of [0, 0.03, 0.1, 0.3].entries()) {
      const drawn = createReleases(trials, utterances, limits, 0.5)(loss, createRandom({ loss, release }));
      drawn.add(trials);
      for (const look of [{}, { look: planLooks(24, 5)[0]! }]) {
        const settings = { level: 0.95, minimumSpeakers: 5, seed: 1, resamples: 200, permutations: 200, ...look };
        const verdicts = (verdictsOnly: boolean) =>
          checkLimits(limits, drawn.tally(), [], { ...settings, verdictsOnly })
            .map(({ measure, verdict }) => `${measure} ${verdict}`)
            .sort();
        assert.deepEqual(verdicts(true), verdicts(false), `${apart} ${loss}`);
        for (const verdict of verdicts(true)) seen.add(verdict);
      }
    }
  }
  const all = ['worseBy', 'wer', 'gap'].flatMap((measure) =>
    ['pass', 'fail', 'inconclusive'].map((verdict) => `${measure} ${verdict}`),
  );
  assert.deepEqual([...seen].sort(), all.sort());
});
