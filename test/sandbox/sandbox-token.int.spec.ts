import { readFileSync } from 'node:fs';
import { ARTEFACT_PATH, compileSandboxToken } from '../support/compile-sandbox-token';

test('the committed token is what its source compiles to', () => {
  expect(JSON.parse(readFileSync(ARTEFACT_PATH, 'utf8'))).toStrictEqual(compileSandboxToken());
}, 30_000);
