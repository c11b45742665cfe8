/**
 * Processor seconds per hour of speech of every measure of quality, on speech with white noise in it.
 *
 *   node bench/quality.ts [PIECES=6] [REPEATS=3]
 *
 * Input: so many pieces of 10 s of speech-input.ts. DNSMOS takes its models from ../shared/data/models/dnsmos, PESQ its program from
 * EARWITNESS_PESQ; without them they are left out. A program's own time is not counted by its caller: PESQ has wall-clock seconds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../src/base/errors.ts';
import { createRandom } from '../src/base/random.ts';
import { createFileHasher } from '../src/decoders/contract.ts';
import { loadMember, memberNames } from '../src/session/members/load-member.ts';
import { pieces, speechInput } from './speech-input.ts';

const count = Number(process.argv[2] ?? 6);
const repeats = Number(process.argv[3] ?? 3);
const models = fileURLToPath(new URL('../../shared/data/models/dnsmos', import.meta.url));
const options: Readonly<Record<string, object>> = {
  dnsmos: { models },
  pesq: { program: process.env.EARWITNESS_PESQ ?? '' },
};

const speech = await speechInput();
if (speech !== null) {
  const clips = pieces(speech, 60).slice(0, count);
  const random = createRandom('noise');
  const pairs = clips.map((clean) => ({
    clean,
    clip: { ...clean, samples: clean.samples.map((sample) => sample + 0.01 * random.normal()) },
  }));
  for (const name of memberNames('quality')) {
    if (name === 'dnsmos' && !existsSync(models)) continue;
    if (name === 'pesq' && !process.env.EARWITNESS_PESQ) continue;
    const { member } = await loadMember('quality', name, '.');
    const services = { baseFolder: process.cwd(), fileHash: createFileHasher() };
    try {
      const meter = await member.open(member.options.parse(options[name] ?? {}), services);
      const seconds: number[] = [];
      for (let repeat = 0; repeat <= repeats; repeat++) {
        const [cpu, wall] = [process.cpuUsage(), performance.now()];
        for (const { clip, clean } of pairs) await meter.measure(clip, clean);
        const { user, system } = process.cpuUsage(cpu);
        const taken = name === 'pesq' ? (performance.now() - wall) / 1000 : (user + system) / 1e6;
        if (repeat > 0) seconds.push((taken * 360) / pairs.length);
      }
      await meter.close();
      console.log(JSON.stringify({ work: name, units: 'seconds per hour of audio', seconds: Math.min(...seconds) }));
    } catch (error) {
      console.log(JSON.stringify({ work: name, left: messageOf(error) }));
    }
  }
}
