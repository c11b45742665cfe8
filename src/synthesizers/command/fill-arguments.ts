/** What placeholders in arguments become. */
export interface Filling {
  readonly text: string;
  readonly voice: string;
  readonly output: string;
}

/**
 * Fills in `{text}`, `{voice}` and `{output}`. What is filled in is not searched again, and a text that would make an
 * argument begin with a hyphen, and so look like an option, gets a blank before it.
 *
 * @example fillArguments(['-v', '{voice}', '{text}'], { text: '-o', voice: 'a', output: '' }) // ['-v', 'a', ' -o']
 */
export function fillArguments(parameters: readonly string[], filling: Filling): string[] {
  return parameters.map((parameter) => {
    const filled = parameter.replace(/\{(text|voice|output)\}/g, (_, key: keyof Filling) => filling[key]);
    return parameter.startsWith('{text}') && filled.startsWith('-') ? ` ${filled}` : filled;
  });
}
