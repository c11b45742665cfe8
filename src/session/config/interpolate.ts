const reference = /\$(\$\{|\{([^}]*)\})/g;
const form = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** Names that sound like keys: their values must not be written into a config, which is stored with every run. */
const secretName = /(^|_)(KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_|$)/i;

/** A text with its references filled in, or why it cannot be. */
export type Interpolated = { readonly text: string; readonly problem?: undefined } | { readonly problem: string };

/**
 * Fills in `${NAME}` and `${NAME:-default}` from the environment; `$${` stands for a plain `${`. The default is taken
 * where the variable is unset or empty, as in a shell.
 *
 * @example interpolate('${HOME}/clips', (name) => process.env[name])
 */
export function interpolate(text: string, environment: (name: string) => string | undefined): Interpolated {
  let problem: string | undefined;
  const filled = text.replace(reference, (whole, inner: string, body?: string) => {
    if (inner === '${') return '${';
    const [, name, fallback] = form.exec(body ?? '') ?? [];
    if (name === undefined) {
      problem ??= `expected \${NAME} or \${NAME:-default}, but got ${whole.slice(0, 60)}; write $\${ for a plain \${`;
      return '';
    }
    if (secretName.test(name)) {
      problem ??= `${name} looks like a secret, and a config is stored with every run; recognizers read keys from the environment themselves, by the variable's name`;
      return '';
    }
    const value = environment(name);
    if (value === undefined || (value === '' && fallback !== undefined)) {
      if (fallback === undefined)
        problem ??= `the environment variable ${name} is not set; set it or write \${${name}:-default}`;
      return fallback ?? '';
    }
    return value;
  });
  return problem === undefined ? { text: filled } : { problem };
}
