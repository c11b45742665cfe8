import { badConfig } from '../base/errors.ts';
import { printable } from '../base/printable.ts';

/**
 * The key of a service: environment variables are the only place keys come from.
 *
 * @param option the option that names the variable, for the messages
 * @param variable null where none is sent
 * @throws EarwitnessError `bad-config` where the variable is not set or holds what no header can carry
 */
export function readKey(
  option: string,
  variable: string | null,
  environment: (name: string) => string | undefined,
): string | null {
  if (variable === null) return null;
  const key = environment(variable);
  if (key === undefined || key === '') {
    throw badConfig(
      `${option}: expected the key in the environment variable ${variable}, but it is not set; set it, or ${option} to null where the server needs none`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw badConfig(
      `${option}: expected a key of visible ASCII characters in the environment variable ${variable}, but it holds blanks, line ends or others; correct it`,
    );
  }
  return key;
}

/**
 * The address of a service.
 *
 * @param option the option that it stands in, `keyOption` the one that names the key's variable, for the messages
 * @throws EarwitnessError `bad-config` for anything but an http(s) address without user, query and fragment: keys could
 * stand there, and it becomes part of the identity
 */
export function serviceAddress(text: string, option: string, keyOption: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // Without what came: a text that is no address may be a key in the wrong place.
    throw badConfig(
      `${option}: expected an address that begins with https:// or http://, but got something else; as in https://api.openai.com/v1`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw badConfig(
      `${option}: expected an address without user, query and fragment, but got one with it for ${printable(url.host, 100)}; a key goes into the environment, and its variable's name into ${keyOption}`,
    );
  }
  return url;
}
