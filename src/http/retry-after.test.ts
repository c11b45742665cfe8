import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterSeconds } from './refusal.ts';

const now = Date.UTC(2026, 2, 3, 10, 0, 0);

test('Retry-After is seconds or a date of RFC 9110, and anything else is nothing', () => {
  assert.equal(retryAfterSeconds('120', null, now), 120);
  assert.equal(retryAfterSeconds(' 0.5 ', null, now), 0.5);
  assert.equal(retryAfterSeconds('Tue, 03 Mar 2026 10:02:00 GMT', null, now), 120);
  // The obsolete forms that a recipient must take (RFC 9110, section 5.6.7).
  assert.equal(retryAfterSeconds('Tuesday, 03-Mar-26 10:02:00 GMT', null, now), 120);
  assert.equal(retryAfterSeconds('Tue, 03 Mar 2026 09:00:00 GMT', null, now), 0);
  assert.equal(
    retryAfterSeconds('Tue, 03 Mar 2026 10:02:00 GMT', 'Tue, 03 Mar 2026 10:01:00 GMT', now),
    60,
    'by the clock of the server',
  );
  for (const nonsense of ['', 'soon', '-5', '1e9', 'NaN', '9'.repeat(20)]) {
    assert.equal(retryAfterSeconds(nonsense, null, now), undefined, nonsense);
  }
  assert.equal(retryAfterSeconds(null, null, now), undefined);
});
