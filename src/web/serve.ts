import { oneTimeDoors } from './guard.ts';
import { listen } from './listen.ts';
import { createSite, type SiteOptions } from './site.ts';

export interface ServeOptions extends SiteOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** The path of the page that is opened first: it and what is looked at from there is there at once. Default: the list of runs. */
  readonly first?: string;
}

export interface Serving extends AsyncDisposable {
  /** The link that opens it, once. */
  readonly link: string;
  readonly origin: string;
}

/**
 * Shows the runs of a store as pages, on this machine alone. It is ready once what is kept of the run that is looked at first is read;
 * what takes long to make goes on behind that.
 *
 * @throws EarwitnessError `bad-usage` where the port is taken
 * @example
 * await using serving = await serveRuns({ store, storeFile: '.earwitness/store.sqlite', port: 0, audio: true });
 * console.log(serving.link);
 */
export async function serveRuns(options: ServeOptions): Promise<Serving> {
  const site = createSite(options);
  const { token, doors } = oneTimeDoors('`earwitness view`');
  const listening = await listen({ port: options.port, doors, answer: ({ url }) => site.answer(url) });
  const { first = '/runs' } = options;
  await site.warmUp(new URL(first, listening.origin));
  return {
    origin: listening.origin,
    link: `${listening.origin}${first}?token=${token}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([listening[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
    },
  };
}
