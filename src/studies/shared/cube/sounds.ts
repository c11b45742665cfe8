import type { Answer } from '../../contract.ts';

/** A trial and what came of it. */
type Recognized = Extract<Answer, { readonly ask: 'recognition' }>;

/** Trials of one sound, which come one after another, together. */
export async function* soundsOf(
  answers: AsyncIterable<Answer>,
): AsyncGenerator<readonly [Recognized, ...Recognized[]]> {
  let sound: [Recognized, ...Recognized[]] | null = null;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    if (sound !== null && isSame(sound[0], answer)) sound.push(answer);
    else {
      if (sound !== null) yield sound;
      sound = [answer];
    }
  }
  if (sound !== null) yield sound;
}

function isSame({ trial: one }: Recognized, { trial: other }: Recognized): boolean {
  return (
    one.utterance.id === other.utterance.id &&
    one.condition.name === other.condition.name &&
    one.draw === other.draw &&
    one.repeat === other.repeat
  );
}
