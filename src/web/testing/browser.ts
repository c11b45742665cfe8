import { existsSync } from 'node:fs';
import { request } from 'node:http';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** For tests that need a browser: false where there is one, else why they are skipped. */
export const skipWithoutBrowser = existsSync(executablePath) ? false : `${executablePath} is not installed`;

/**
 * Debian's chromium, in which pages may play audio without being clicked.
 *
 * @param more switches
 */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', ...more];
  return chromium.launch({ executablePath, args });
}

/** What of axe-core's rules the colours and the width of a window change. */
export const rulesOfLooks = ['color-contrast', 'scrollable-region-focusable'];

/**
 * What axe-core finds on a page, and whether the page is wider than its window.
 *
 * @param preload whether styles and media are fetched for the check, which pages from file:// forbid
 * @param looks whether only what colours and the width of a window change is looked at again
 */
export async function pageFaults(page: Page, preload = true, looks = false): Promise<readonly string[]> {
  const options = {
    preload,
    resultTypes: ['violations'],
    ...(looks && { runOnly: { type: 'rule', values: rulesOfLooks } }),
  };
  const run = `${axe.source};axe.run(document, ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(run)) as AxeResults;
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [...violations.map(({ id, help }) => `${id}: ${help}`), ...(wide ? ['wider than the window'] : [])];
}

/** Waits for a page that shows an element, and for its scripts: before, keys that they answer are lost. */
export async function arrived(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.waitForLoadState();
}

/** Ticks a value of a filter of a list of trials. */
export async function chooseFilter(page: Page, facet: string, value: string): Promise<void> {
  const own = `.facet:has(legend:has-text(${JSON.stringify(facet)}))`;
  await page.click(`${own} summary`);
  await page.click(`${own} label:has-text(${JSON.stringify(value)})`);
}

/** What the buttons say that stand out on a page for people: there is one to press. */
export async function primaryButtons(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const { color } = getComputedStyle(document.querySelector('.top .name'));
    return [...document.querySelectorAll('button, .go')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).backgroundColor === color)
      .map((one) => one.textContent);
  })()`)) as string[];
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What a server answers to bytes as they are: `fetch` would mend headers and paths. */
export function askServer(
  origin: string,
  path: string,
  {
    headers = {},
    method = 'GET',
    body,
    encoding = 'utf8',
  }: {
    readonly headers?: Record<string, string>;
    readonly method?: string;
    readonly body?: string;
    readonly encoding?: 'utf8' | 'latin1';
  } = {},
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const { host, port } = new URL(origin);
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (response) => {
      let text = '';
      response.setEncoding(encoding).on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A study of clean clips and of noise, quickly done. */
export const noiseStudy = {
  type: 'robustness',
  conditions: [{ name: 'noise', steps: [{ perturbation: 'white-noise', parameters: { snrDb: 5 } }] }],
  resamples: 100,
} as const;
