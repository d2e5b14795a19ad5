import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileSolidity } from './compile-solidity';

/** Run from the project's root. */
const FOLDER = path.join(process.cwd(), 'test/support');
const SOURCE = { folder: FOLDER, file: 'contract-wallet.sol', contract: 'ContractWallet' };
export const CONTRACT_WALLET_PATH = path.join(FOLDER, 'contract-wallet.json');

type Compiled = { readonly evm: { readonly bytecode: { readonly object: string } } };

/** `{bytecode}` of the contract wallet that signatures are tested with. Rejects on any warning. */
export async function compileContractWallet(): Promise<{ readonly bytecode: string }> {
  const { evm } = await compileSolidity<Compiled>(SOURCE, ['evm.bytecode.object']);
  return { bytecode: `0x${evm.bytecode.object}` };
}

if (require.main === module) {
  void compileContractWallet().then(compiled =>
    writeFileSync(CONTRACT_WALLET_PATH, `${JSON.stringify(compiled, null, 2)}\n`),
  );
}
