import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileSolidity } from './compile-solidity';

/** Entries of the ABI that local chains call or show; nothing decodes the token's events and errors by it. */
const CALLED: readonly string[] = ['constructor', 'function'];
/** Run from the project's root. */
const FOLDER = path.join(process.cwd(), 'src/sandbox');
const SOURCE = { folder: FOLDER, file: 'sandbox-token.sol', contract: 'SandboxToken' };

export const ARTEFACT_PATH = path.join(FOLDER, 'sandbox-token.json');

type Compiled = {
  readonly abi: readonly { readonly type: string }[];
  readonly evm: { readonly bytecode: { readonly object: string } };
  readonly storageLayout: { readonly storage: readonly { readonly label: string; readonly slot: string }[] };
};

/**
 * The service's part of the compiled token: `{abi, bytecode, slots: {variable: storage slot}}`. Rejects on any warning.
 */
export async function compileSandboxToken(): Promise<object> {
  const compiled = await compileSolidity<Compiled>(SOURCE, ['abi', 'evm.bytecode.object', 'storageLayout']);
  const slots = Object.fromEntries(compiled.storageLayout.storage.map(({ label, slot }) => [label, Number(slot)]));
  const abi = compiled.abi.filter(({ type }) => CALLED.includes(type));
  return { abi, bytecode: `0x${compiled.evm.bytecode.object}`, slots };
}

if (require.main === module) {
  void compileSandboxToken().then(compiled => writeFileSync(ARTEFACT_PATH, `${JSON.stringify(compiled, null, 2)}\n`));
}
