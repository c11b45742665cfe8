import { writeFile } from 'node:fs/promises';
import { createRandom } from '../../base/random.ts';

/** Conditions of the run, clean first. */
export const heard = ['clean', 'hall', 'street'] as const;
const words = ['Mister', 'Smith', 'has', 'twenty', 'one', 'colours', 'and', 'okay', 'Doctor', 'Who'];
/** What `english` takes for the same and `basic` does not. */
const spelled: Readonly<Record<string, string>> = { Mister: 'Mr', colours: 'colors', okay: 'ok', Doctor: 'Dr' };

/**
 * A folder in which nine recognizers, eight of them nearly alike, have answered 48 utterances of 24 speakers in three conditions, some of them not: of nine
 * some pair is always far apart by chance.
 */
export async function nineRecognizers(
  folder: { file(name: string): string },
  study: Readonly<Record<string, unknown>> = {},
  also: Readonly<Record<string, unknown>> = {},
  beside: readonly object[] = [],
): Promise<readonly string[]> {
  const random = createRandom('nine recognizers');
  const names = Array.from({ length: 9 }, (_, place) => `r${place + 1}`);
  const speakers = Array.from({ length: 24 }, (_, place) => ({
    name: `s${place}`,
    sex: place % 2 === 0 ? 'female' : 'male',
    region: ['north', 'south', 'east'][place % 3]!,
    hard: 0.05 + 0.3 * random.next(),
  }));
  const list = ['id\treference\tspeaker\tsex\tregion'];
  const table = ['utterance\tcondition\tsystem\ttext\terror'];
  for (const { name, sex, region, hard } of speakers) {
    const ofSystem = names.map(
      (_, place) =>
        0.7 + 0.6 * random.next() + 0.02 * place + (place === 8 ? 1.2 : 0) + (sex === 'male' && place > 5 ? 0.8 : 0),
    );
    for (let take = 0; take < 2; take++) {
      const id = `${name}-${take}`;
      const said = words.slice(0, 5 + ((take * 11) % 6));
      list.push([id, said.join(' '), name, sex, region].join('\t'));
      heard.forEach((condition, place) => {
        names.forEach((system, number) => {
          if (random.next() < (number === 4 ? 0.06 : 0.01)) {
            table.push([id, condition, system, '', 'timeout: no answer'].join('\t'));
            return;
          }
          const rate = hard * ofSystem[number]! * (1 + 0.5 * place);
          const text = said.map((word) =>
            random.next() < rate ? 'x' : (random.next() < 0.3 && spelled[word]) || word,
          );
          table.push([id, condition, system, text.join(' '), ''].join('\t'));
        });
      });
    }
  }
  await writeFile(folder.file('list.tsv'), `${list.join('\n')}\n`);
  await writeFile(folder.file('answers.tsv'), `${table.join('\n')}\n`);
  const conditions = heard
    .slice(1)
    .map((name) => ({ name, steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] }));
  const config = {
    seed: 11,
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: { all: { type: 'recorded', file: 'answers.tsv', systems: 'all' } },
    failures: { maxShare: 1 },
    studies: [{ type: 'robustness', conditions, normalizer: 'basic', level: 0.9, resamples: 300, ...study }, ...beside],
    report: { sound: false },
    ...also,
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  return names;
}
