/** What programs may see: keys that stand in the environment are for whom they were put there. */
const alwaysSeen: readonly string[] = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR'];

/**
 * The environment variables that a program is started with.
 *
 * @param named further ones that it may see, by name
 * @param read gives the value of a variable, as far as it may be read
 * @example programEnvironment(['SPEECH_KEY']) // { PATH: '/usr/bin', HOME: '/home/me', SPEECH_KEY: '…' }
 */
export function programEnvironment(
  named: readonly string[] = [],
  read: (name: string) => string | undefined = (name) => process.env[name],
): Record<string, string> {
  const found = [...alwaysSeen, ...named].map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
