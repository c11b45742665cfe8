import type { JsonObject } from '../../base/json.ts';
import type { LadderFamily } from '../contract.ts';

type Rung = readonly [label: string, perturbation: string, parameters: JsonObject];

const family = (name: string, about: string, axis: string, rungs: readonly Rung[]): LadderFamily => ({
  name,
  about,
  axis,
  rungs: rungs.map(([label, perturbation, parameters]) => ({ label, steps: [{ perturbation, parameters }] })),
});

const loss = (percent: number, meanBurstPackets: number, concealment: string): Rung => [
  `${percent} %`,
  'packet-loss',
  { packetSeconds: 0.02, lossShare: percent / 100, meanBurstPackets, concealment },
];

const opus = (kilobitsPerSecond: number, codedRateHz: number): Rung => [
  `${kilobitsPerSecond} kbit/s`,
  'opus',
  { kilobitsPerSecond, application: 'voip', codedRateHz, packetSeconds: 0.02 },
];

/** What calls and recordings go through on their way: families of the ladder `earwitness` that no paper has. */
export const callFamilies: readonly LadderFamily[] = [
  family('telephone', 'Codecs of telephones, from wide-band calls to the first mobile phones', 'codec', [
    ['G.722, 64 kbit/s', 'g722', { kilobitsPerSecond: 64 }],
    ['G.711 mu-law', 'g711', { law: 'mu-law', bandwidth: 'telephone' }],
    ['300 to 3400 Hz', 'narrow-band', { lowHz: 300, highHz: 3400 }],
    ['GSM full rate', 'gsm', {}],
  ]),
  family('packet-loss', 'Packets of 20 ms lost in bursts of two, concealed by their pitch', 'packets lost', [
    loss(3, 2, 'pitch'),
    loss(10, 2, 'pitch'),
    loss(20, 2, 'pitch'),
    loss(40, 2, 'pitch'),
  ]),
  family('packet-loss-silent', 'Packets of 20 ms lost in bursts of two, nothing in their place', 'packets lost', [
    loss(3, 2, 'silence'),
    loss(10, 2, 'silence'),
    loss(20, 2, 'silence'),
    loss(40, 2, 'silence'),
  ]),
  family('opus', 'Opus as in calls over the internet, at lower and lower rates', 'rate', [
    opus(24, 16000),
    opus(16, 16000),
    opus(12, 16000),
    opus(6, 8000),
  ]),
  family(
    'mp3',
    'MP3 at lower and lower rates',
    'rate',
    [64, 32, 16, 8].map(
      (kilobitsPerSecond): Rung => [`${kilobitsPerSecond} kbit/s`, 'mp3', { kilobitsPerSecond, codedRateHz: 16000 }],
    ),
  ),
  family(
    'clipping',
    'The loudest samples cut off, whatever the level',
    'samples cut off',
    [1, 5, 15, 40].map((percent): Rung => [`${percent} %`, 'clip-share', { share: percent / 100 }]),
  ),
  family('silence', 'No speech at all: whatever is written down was made up', 'what is heard instead', [
    ['digital silence', 'replace-sound', { sounds: 'silence', levelDbfs: null, channel: 'mean', select: {} }],
    ['noise at -60 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -60, channel: 'mean', select: {} }],
    ['noise at -40 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -40, channel: 'mean', select: {} }],
    ['noise at -20 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -20, channel: 'mean', select: {} }],
  ]),
];
