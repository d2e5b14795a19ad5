import { readFileSync } from 'node:fs';
import { compileContractWallet, CONTRACT_WALLET_PATH } from './compile-contract-wallet';
import { ARTEFACT_PATH, compileSandboxToken } from './compile-sandbox-token';

// One file compiles all contracts: the compiler takes longer to load than to compile.
test.each<[string, string, () => Promise<object>]>([
  ['token of local chains', ARTEFACT_PATH, compileSandboxToken],
  ['wallet that checks its own signatures', CONTRACT_WALLET_PATH, compileContractWallet],
])('the committed %s is what its source compiles to', async (_, artefact, compile) => {
  expect(JSON.parse(readFileSync(artefact, 'utf8'))).toStrictEqual(await compile());
}, 30_000); // prettier-ignore
