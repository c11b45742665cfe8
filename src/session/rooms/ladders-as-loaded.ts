import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { Step } from '../../model/trial.ts';
import type { AssetServices, Ladder, LadderFamily, LoadedSounds, Perturbation } from '../../perturbations/contract.ts';
import { publishedDataSet } from '../../perturbations/shared/chosen-sounds.ts';

/**
 * Ladders as a run has them: rungs that take sounds from outside say which these are, and classes of rooms are called by what was
 * measured of the rooms that were loaded (`0.58 s`). Families that no study names stay as they are, and so do those whose sounds cannot be
 * loaded: asking for them says why.
 *
 * @param studies options of the studies, in which names of scenarios stand somewhere
 */
export async function laddersAsLoaded(
  ladders: readonly Ladder[],
  studies: Json,
  perturbation: (name: string) => Promise<Perturbation>,
  services: AssetServices,
): Promise<readonly Ladder[]> {
  return withSounds(ladders, studies, async ({ perturbation: name, parameters }) => {
    const member = await perturbation(name);
    return (await member.prepare?.(member.parameters.parse(parameters), services))?.loaded;
  });
}

/**
 * Ladders for recognizers that hear nothing: rungs that take sounds from outside say which the config has under that name, as far as it
 * has any, by number and names of their files. None is opened.
 *
 * @param list the files of a collection; throws EarwitnessError where there is none
 */
export async function laddersAsListed(
  ladders: readonly Ladder[],
  studies: Json,
  list: (collection: string) => Promise<readonly { readonly name: string }[]>,
): Promise<readonly Ladder[]> {
  const known = new Map<string, Promise<LoadedSounds>>();
  const listed = async (collection: string): Promise<LoadedSounds> => {
    const sounds = await list(collection);
    return { collection, sounds: sounds.length, dataSet: publishedDataSet({ sounds }) };
  };
  return withSounds(ladders, studies, ({ parameters: { sounds } }) => {
    const collection = String(sounds);
    const found = known.get(collection) ?? listed(collection);
    known.set(collection, found);
    return found;
  });
}

/** Asks of each step that names a collection, in what a study names, which sounds it has; those that there are not stay unsaid. */
async function withSounds(
  ladders: readonly Ladder[],
  studies: Json,
  soundsOf: (step: Step) => Promise<LoadedSounds | undefined>,
): Promise<readonly Ladder[]> {
  const written = new Set(textsOf(studies));
  const isNamed = (ladder: string, family: LadderFamily) =>
    [ladder, `${ladder}/${family.name}`].some((name) => written.has(name)) ||
    family.rungs.some((_, index) => written.has(`${ladder}/${family.name}:${index + 1}`));
  const loadedBy = async (rung: LadderFamily['rungs'][number]): Promise<LoadedSounds[]> => {
    const loaded: LoadedSounds[] = [];
    for (const step of rung.steps) {
      if (typeof step.parameters.sounds !== 'string') continue;
      const sounds = await soundsOf(step).catch((thrown) => {
        if (thrown instanceof EarwitnessError) return undefined;
        throw thrown;
      });
      if (sounds) loaded.push(sounds);
    }
    return loaded;
  };
  return Promise.all(
    ladders.map(async (ladder) => ({
      ...ladder,
      families: await Promise.all(
        ladder.families.map(async (family) =>
          isNamed(ladder.name, family)
            ? withLabels({
                ...family,
                rungs: await Promise.all(
                  family.rungs.map(async (rung) => {
                    const sounds = await loadedBy(rung);
                    return sounds.length === 0 ? rung : { ...rung, sounds };
                  }),
                ),
              })
            : family,
        ),
      ),
    })),
  );
}

const measures = {
  rt60Seconds: { axis: 'reverberation time, mean of the class', label: (mean: number) => `${mean.toFixed(2)} s` },
  srmr: { axis: 'SRMR, mean of the class', label: (mean: number) => mean.toFixed(1) },
} as const;

/** Classes of rooms under what was measured; one that has none keeps its number. */
function withLabels(family: LadderFamily): LadderFamily {
  const rooms = family.rungs.map(({ sounds }) => sounds?.find((loaded) => loaded.rooms !== undefined)?.rooms);
  const [first] = rooms.filter((one) => one !== undefined);
  if (first === undefined) return family;
  return {
    ...family,
    axis: measures[first.by].axis,
    rungs: family.rungs.map((rung, index) => {
      const known = rooms[index];
      return known === undefined ? rung : { ...rung, label: measures[known.by].label(known.mean) };
    }),
  };
}

function textsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part) => textsOf(part as Json));
}
