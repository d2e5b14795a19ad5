import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import solc from 'solc';

const SOURCE = 'contract-wallet.sol';
const CONTRACT = 'ContractWallet';

/** Run from the project's root. */
const FOLDER = path.join(process.cwd(), 'test/support');
export const CONTRACT_WALLET_PATH = path.join(FOLDER, 'contract-wallet.json');

type Output = {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, { evm: { bytecode: { object: string } } }>>>>;
};

/** `{bytecode}` of the contract wallet that signatures are tested with. Throws on any warning. */
export function compileContractWallet(): { readonly bytecode: string } {
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content: readFileSync(path.join(FOLDER, SOURCE), 'utf8') } },
    settings: {
      evmVersion: 'shanghai',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
  const compiled = output.contracts[SOURCE]?.[CONTRACT];
  if (!compiled) throw new Error(`${SOURCE} holds no ${CONTRACT}`);
  return { bytecode: `0x${compiled.evm.bytecode.object}` };
}

if (require.main === module) {
  writeFileSync(CONTRACT_WALLET_PATH, `${JSON.stringify(compileContractWallet(), null, 2)}\n`);
}
