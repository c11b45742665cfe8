import assert from 'node:assert/strict';
import { proveAnswers } from './testing/conformance/answers.ts';
import { proveDescription } from './testing/conformance/description.ts';
import { proveHearing } from './testing/conformance/hearing.ts';
import { proveLifetime } from './testing/conformance/lifetime.ts';
import { type ConformanceCase, openBench } from './testing/conformance/trial-bench.ts';

/** Registers the tests that every recognizer must pass, under its name. */
export function testRecognizer<Options>(tried: ConformanceCase<Options>): void {
  const bench = openBench(tried);
  const { hears, proves, cameOut } = bench;
  proveDescription(bench);
  proveAnswers(bench);
  proveLifetime(bench);
  if (hears) proveHearing(bench);

  // Last: of everything that came out in the tests before.
  proves('shows its secrets in no transcript and no error', async () => {
    assert.ok(cameOut.length > 0);
    for (const secret of tried.secrets ?? []) {
      for (const text of cameOut) assert.ok(!text.includes(secret), `a secret stands in ${text.slice(0, 1000)}`);
    }
  });
}
