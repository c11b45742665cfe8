/**
 * Processor seconds per hour of speech of every scenario of the ladders, ours alone.
 *
 *   node bench/perturb-scenarios.ts [REPEATS=3] [TEXT] [CONFIG]    only names with TEXT in them
 *
 * Input: 60 pieces of 10 s of speech-input.ts; a short pass to warm up, then the median of the repeats. Scenarios with sounds
 * of collections need a config that names them; without one they are left out with the reason. Prints a JSON line for each.
 */
import { messageOf } from '../src/base/errors.ts';
import { listScenarios } from '../src/perturbations/scenarios.ts';
import { loadConfig } from '../src/session/config/load-config.ts';
import { loadLadders } from '../src/session/members/listings.ts';
import { createServices } from '../src/session/open/services.ts';
import { median } from './median.ts';
import { ownPass } from './perturbations/own-pass.ts';
import { pieces, speechInput } from './speech-input.ts';

const repeats = Number(process.argv[2] ?? 3);
const only = process.argv[3] ?? '';
const config = process.argv[4];

const speech = await speechInput();
if (speech !== null) {
  const loaded = config === undefined ? null : await loadConfig(config);
  const services = createServices({
    baseFolder: loaded?.baseFolder ?? process.cwd(),
    ...(loaded && { soundCollections: loaded.config.sounds }),
  });
  const clips = pieces(speech, 60);
  for (const { condition } of listScenarios(await loadLadders())) {
    if (!condition.name.includes(only)) continue;
    try {
      const pass = await ownPass(condition.steps, services);
      await pass(clips.slice(0, 6));
      const found: number[] = [];
      for (let repeat = 0; repeat < repeats; repeat++) found.push((await pass(clips)) * (3600 / 600));
      const units = 'processor seconds per hour of audio';
      console.log(JSON.stringify({ work: condition.name, units, repeats, seconds: median(found) }));
    } catch (error) {
      console.log(JSON.stringify({ work: condition.name, left: messageOf(error).slice(0, 200) }));
    }
  }
  await services.close();
}
