import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { losePackets } from '../shared/codecs.ts';
import { concealByPitch, concealByRepetition, type Gap, packetLoss } from './packet-loss.ts';

const ones = (length: number) => ({ samples: new Float32Array(length).fill(1), sampleRate: 16000 });
const repeatPackets = (samples: Float32Array, gap: Gap, sampleRate: number) =>
  concealByRepetition(samples, gap, 320, sampleRate);
const ofSilence = { packetSeconds: 0.02, concealment: 'silence' } as const;

test('share and length of bursts are those asked for', () => {
  // Packets 400,000. With bursts of mean L the number of lost ones has variance n share (1 - share) (1 + 2 c / (1 - c)),
  // where c = 1 - p - r is the correlation of neighbours; the length of a burst is geometric, variance L (L - 1). Five
  // standard errors are let pass.
  const packets = 400_000;
  for (const [lossShare, meanBurstPackets] of [
    [0.05, null],
    [0.05, 1],
    [0.1, 2],
    [0.3, 8],
    [0.6, 3],
  ] as const) {
    const lost = losePackets('packet-loss', packets, { lossShare, meanBurstPackets }, createRandom(5));
    const count = lost.reduce((sum, one) => sum + one, 0);
    const bursts = lost.reduce((sum, one, n) => sum + (one && !lost[n - 1] ? 1 : 0), 0);
    const length = meanBurstPackets ?? 1 / (1 - lossShare);
    const kept = 1 - 1 / length - lossShare / (1 - lossShare) / length;
    const spread = Math.sqrt((lossShare * (1 - lossShare) * (1 + kept)) / (1 - kept) / packets);
    assert.ok(Math.abs(count / packets - lossShare) < 5 * spread, `${lossShare}, ${length}: ${count / packets}`);
    const burstSpread = Math.sqrt((length * (length - 1)) / bursts);
    assert.ok(Math.abs(count / bursts - length) <= 5 * burstSpread, `${lossShare}, ${length}: ${count / bursts}`);
  }
});

test('says what was lost, and loses whole packets', () => {
  const parameters = { ...ofSilence, lossShare: 0.2, meanBurstPackets: 3 };
  const { clip, facts } = packetLoss.apply(ones(160_100), parameters, { random: createRandom(1) });
  assert.equal(facts.packets, 501);
  const silent = Array.from({ length: 501 }, (_, packet) => {
    const samples = clip.samples.subarray(320 * packet, 320 * packet + 320);
    assert.ok(samples.every((sample) => sample === samples[0]));
    return samples[0] === 0;
  });
  const bursts = silent
    .map((lost) => (lost ? 'x' : ' '))
    .join('')
    .match(/x+/g)!;
  assert.equal(facts.lostPackets, silent.filter(Boolean).length);
  assert.equal(facts.achievedLossShare, Number(facts.lostPackets) / 501);
  assert.equal(facts.bursts, bursts.length);
  assert.equal(facts.longestGapSeconds, 0.02 * Math.max(...bursts.map((burst) => burst.length)));
});

test('the pitch of a tone goes on through a gap of 10 ms, smoothly', () => {
  const samples = Float32Array.from({ length: 4000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * n) / 80));
  const concealed = samples.slice();
  concealed.fill(0, 2000, 2160);
  concealByPitch(concealed, { start: 2000, end: 2160, goodUntil: 4000 }, 16000);
  const error = concealed.map((sample, n) => sample - samples[n]!);
  assert.ok(rms(error) < 1e-3);
});

test('a long gap fades from 10 ms on, is silent from 60 ms on, and that of the pitch ends softly', () => {
  const samples = Float32Array.from({ length: 16_000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * n) / 128));
  for (const conceal of [concealByPitch, repeatPackets]) {
    const concealed = samples.slice(0, 12_000);
    conceal(concealed, { start: 4000, end: 8000, goodUntil: 12_000 }, 16000);
    const level = (from: number, to: number) => rms(concealed.subarray(4000 + from, 4000 + to)) / (0.5 / Math.SQRT2);
    assert.ok(Math.abs(level(0, 128) - 1) < 0.02);
    // Between 30 and 38 ms the level falls from .6 to .44.
    assert.ok(Math.abs(level(480, 608) - 0.52) < 0.03);
    assert.ok(level(960, 4000) < 1e-12);
    if (conceal === concealByPitch) assert.ok(Math.abs(concealed[8000]!) < 0.02);
    assert.deepEqual(concealed.subarray(8160), samples.subarray(8160, 12_000));
  }
});

test('repetition plays the last packet again, softer and softer', () => {
  const random = createRandom(2);
  const samples = Float32Array.from({ length: 32_000 }, () => random.next() - 0.5);
  const parameters = { packetSeconds: 0.01, lossShare: 0.1, meanBurstPackets: 1, concealment: 'repeat' } as const;
  const { clip } = packetLoss.apply({ samples, sampleRate: 16000 }, parameters, { random: createRandom(1) });
  let repeated = 0;
  for (let packet = 1; packet < 200; packet++) {
    const now = clip.samples.subarray(160 * packet, 160 * packet + 160);
    if (now[7] === samples[160 * packet + 7]) continue;
    assert.deepEqual(now, clip.samples.subarray(160 * packet - 160, 160 * packet));
    repeated++;
  }
  assert.ok(repeated > 5);
});

test('bursts too short to lose so many are one clear sentence', () => {
  const parameters = { ...ofSilence, lossShare: 0.9, meanBurstPackets: 2 };
  assert.throws(
    () => packetLoss.apply(ones(1000), parameters, { random: createRandom(1) }),
    /^EarwitnessError: packet-loss: expected bursts of at least 9.000 packets .*, but meanBurstPackets is 2; raise it/,
  );
});
