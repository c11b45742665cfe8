// Prints what failed, what was skipped and the slowest twenty, and closes with one plain line: `N passed, N failed, N skipped`.
import { join, relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

const listed = 20;
const root = join(import.meta.dirname, '..');
const place = (file: string | undefined) => relative(root, file ?? root);

export async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const slowest: { readonly seconds: number; readonly name: string }[] = [];
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details, skip, todo } = event.data;
    const isFile = /\.test\.(?:ts|mjs)$/.test(name);
    const isGroup = (details as { type?: string }).type === 'suite';
    if (!isFile && !isGroup)
      slowest.push({ seconds: details.duration_ms / 1000, name: `${place(event.data.file)}: ${name}` });
    slowest.sort((a, b) => b.seconds - a.seconds).splice(listed);
    // What is yet to do may fail: node's exit code does not count it either.
    if (todo !== undefined) {
      skipped++;
      yield `- to do: ${name}\n`;
    } else if (event.type === 'test:fail') {
      if (!isGroup && !isFile) failed++;
      else if (isFile && !/subtest/.test(String((details as { error?: Error }).error?.message))) failed++;
      const { error } = details as { error?: Error };
      const cause = error?.cause;
      yield `\n✖ ${event.data.file ?? ''} ${name}\n${cause instanceof Error ? cause.stack : String(cause ?? error)}\n`;
    } else if (skip !== undefined) {
      skipped++;
      yield `- skipped: ${name}${typeof skip === 'string' ? ` (${skip})` : ''}\n`;
    } else if (!isGroup && !isFile) {
      passed++;
    }
  }
  yield `\nslowest tests\n${slowest.map(({ seconds, name }) => `  ${seconds.toFixed(1)} s  ${name}\n`).join('')}`;
  yield `\n${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}

// biome-ignore lint/style/noDefaultExport: node --test-reporter takes the default export
export default report;
