// Prints what failed and what was skipped, and closes with one plain line: `N passed, N failed, N skipped`.
import type { TestEvent } from 'node:test/reporters';

export async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for await (const event of events) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details, skip, todo } = event.data;
    const isFile = name.endsWith('.test.ts');
    const isGroup = (details as { type?: string }).type === 'suite';
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
  yield `\n${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}

// biome-ignore lint/style/noDefaultExport: node --test-reporter takes the default export
export default report;
