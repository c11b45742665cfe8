import { Undecided } from '../../base/errors.ts';

/**
 * Where something is there and cannot be used: to be mended, or to be done without.
 *
 * @param message what was expected and what came, without an end
 * @param rest what can be taken all the same
 */
export function orPartial(message: string, rest: string): Undecided {
  return new Undecided(`${message}, or take ${rest} with --partial`, {
    option: 'partial',
    asks: `${message}.`,
    choices: [
      { value: null, about: 'stop here, to mend it' },
      { value: true, about: `take ${rest}` },
    ],
  });
}

/** @param place whose texts do not tell it, as errors call it */
export function unknownLanguage(place: string): Undecided {
  return new Undecided(
    `${place}: expected references that tell their language, but these do not; name it with --language, as in --language en`,
    { option: 'language', asks: `${place}: which language is spoken? The references do not tell it.`, choices: [] },
  );
}
