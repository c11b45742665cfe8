import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyText } from './number-format.ts';

test('where no price is known nothing is said to be free, and where prices are known and nothing was paid that is said', () => {
  assert.equal(moneyText({}), 'no price given');
  assert.equal(moneyText({ USD: 0 }), 'nothing paid');
  assert.equal(moneyText({ USD: 1.25, EUR: 0 }), 'USD 1.25');
});
