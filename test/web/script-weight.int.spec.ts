import { statSync } from 'node:fs';
import { builtFile } from './fixture-checkout';

/** Compressed bytes; a script has its wallets inside. */
it.each([
  ['checkout.js', 4_000],
  ['checkout.css', 6_000],
  ['console.js', 6_000],
  ['console.css', 8_000],
])('keeps %s light', (name, mostBytes) => {
  expect(statSync(`${builtFile(name)}.br`).size).toBeLessThanOrEqual(mostBytes);
});
