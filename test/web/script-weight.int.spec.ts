import { statSync } from 'node:fs';
import { builtScript } from './fixture-checkout';

/** Compressed bytes, of checkout's whole script with wallets. */
const MOST_BYTES = 4_000;

it("keeps checkout's script light", () => {
  expect(statSync(`${builtScript()}.br`).size).toBeLessThanOrEqual(MOST_BYTES);
});
