import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../shared/printable.ts';

const standardVariable = 'OPENAI_API_KEY';
const standardHost = 'api.openai.com';

/**
 * Where clips are posted to.
 *
 * @throws EarwitnessError `bad-config` for anything but an http(s) address without user, query and fragment: keys could
 * stand there, and it becomes part of the identity
 * @example transcriptionsUrl('http://localhost:8000/v1/').href // 'http://localhost:8000/v1/audio/transcriptions'
 */
export function transcriptionsUrl(baseUrl: string, path = '/audio/transcriptions'): URL {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // Without what came: a text that is no address may be a key in the wrong place.
    throw new EarwitnessError(
      'bad-config',
      'baseUrl: expected an address that begins with https:// or http://, but got something else; as in https://api.openai.com/v1',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new EarwitnessError(
      'bad-config',
      `baseUrl: expected an address without user, query and fragment, but got one with it for ${printable(url.host, 100)}; a key goes into the environment, and its variable's name into keyVariable`,
    );
  }
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
  return url;
}

/** The environment variable that holds the key; null where none is sent. A key goes to no server that it was not named for. */
export function keyVariableFor(url: URL, named: string | null | undefined): string | null {
  if (named !== undefined) return named;
  return url.hostname === standardHost && url.protocol === 'https:' ? standardVariable : null;
}

/**
 * The key.
 *
 * @throws EarwitnessError `bad-config` where the variable is not set or holds what no header can carry
 */
export function readKey(variable: string | null, environment: (name: string) => string | undefined): string | null {
  if (variable === null) return null;
  const key = environment(variable);
  if (key === undefined || key === '') {
    throw new EarwitnessError(
      'bad-config',
      `keyVariable: expected the key in the environment variable ${variable}, but it is not set; set it, or keyVariable to null where the server needs none`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new EarwitnessError(
      'bad-config',
      `keyVariable: expected a key of visible ASCII characters in the environment variable ${variable}, but it holds blanks, line ends or others; correct it`,
    );
  }
  return key;
}
