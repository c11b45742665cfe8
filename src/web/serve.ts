import { oneTimeDoors } from './guard.ts';
import { listen } from './listen.ts';
import { createSite, type SiteOptions } from './site.ts';

export interface ServeOptions extends SiteOptions {
  /** 0: any that is free. */
  readonly port: number;
}

export interface Serving extends AsyncDisposable {
  /** The link that opens it, once. */
  readonly link: string;
  readonly origin: string;
}

/**
 * Shows the runs of a store as pages, on this machine alone.
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
  return {
    origin: listening.origin,
    link: `${listening.origin}/?token=${token}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([listening[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
    },
  };
}
