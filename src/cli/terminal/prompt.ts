import { createInterface } from 'node:readline/promises';
import { type Choice, EarwitnessError, type Question } from '../../base/errors.ts';

/** Asks somebody at a terminal. */
export interface Prompt extends Disposable {
  /**
   * @param question without the answer that is suggested, which is taken where nothing is typed
   * @param help what `?` says
   * @throws EarwitnessError `interrupted`: Ctrl-C, or the end of the input (Ctrl-D)
   */
  ask(question: string, suggested: string, help: string): Promise<string>;
  /**
   * Asks for the number of one of several, until one is typed.
   *
   * @throws EarwitnessError as `ask`
   */
  choose(choices: readonly Choice[]): Promise<Choice>;
}

const stopped = 'stopped at a question; nothing was written';

/**
 * What somebody at the terminal answers to a question that was said.
 *
 * @throws EarwitnessError `interrupted`: to stop here
 */
export async function answerTo({ choices }: Question): Promise<string | true> {
  using prompt = createPrompt({ input: process.stdin, output: process.stderr });
  if (choices.length === 0) return await prompt.ask('Language', 'en', languageHelp);
  const { value } = await prompt.choose(choices);
  if (value === null) throw new EarwitnessError('interrupted', stopped);
  return value;
}

const languageHelp =
  'A tag (en, de, en-GB, zh) or the English name of a language. Texts are compared by its rules, and recognizers are told.';

/** @param streams the terminal; it is never asked about where standard input is none */
export function createPrompt(streams: {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly terminal?: boolean;
}): Prompt {
  const lines = createInterface(streams);
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  const typed = async (question: string) => {
    try {
      return (await lines.question(question, { signal: closed.signal })).trim();
    } catch (cause) {
      streams.output.write('\n');
      throw new EarwitnessError('interrupted', stopped, { cause });
    }
  };
  return {
    async ask(question, suggested, help) {
      for (;;) {
        const answer = await typed(`${question} [${suggested}, ? explains]: `);
        if (answer !== '?') return answer === '' ? suggested : answer;
        streams.output.write(`${help}\n`);
      }
    },
    async choose(choices) {
      for (const [place, { about }] of choices.entries()) streams.output.write(`  ${place + 1}  ${about}\n`);
      for (;;) {
        const chosen = choices[Number(await typed(`Number (1 to ${choices.length}): `)) - 1];
        if (chosen !== undefined) return chosen;
      }
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
