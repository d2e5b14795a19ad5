import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import solc from 'solc';

/** Entries of the ABI that local chains call or show; nothing decodes the token's events and errors by it. */
const CALLED: readonly string[] = ['constructor', 'function'];
/** Run from the project's root. */
const FOLDER = path.join(process.cwd(), 'src/sandbox');
const SOURCE = 'sandbox-token.sol';
const CONTRACT = 'SandboxToken';

export const ARTEFACT_PATH = path.join(FOLDER, 'sandbox-token.json');

type Output = {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } }; storageLayout: Layout }>>>
  >;
};
type Abi = readonly { readonly type: string }[];
type Layout = { readonly storage: readonly { readonly label: string; readonly slot: string }[] };

/**
 * The service's part of the compiled token: `{abi, bytecode, slots: {variable: storage slot}}`. Throws on any warning.
 */
export function compileSandboxToken(): object {
  const input = {
    language: 'Solidity',
    sources: { [SOURCE]: { content: readFileSync(path.join(FOLDER, SOURCE), 'utf8') } },
    settings: {
      evmVersion: 'shanghai',
      optimizer: { enabled: true, runs: 200 },
      // The source's hash at the code's end would change with every comment.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'storageLayout'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
  const compiled = output.contracts[SOURCE]?.[CONTRACT];
  if (!compiled) throw new Error(`${SOURCE} holds no ${CONTRACT}`);
  const slots = Object.fromEntries(compiled.storageLayout.storage.map(({ label, slot }) => [label, Number(slot)]));
  const abi = compiled.abi.filter(({ type }) => CALLED.includes(type));
  return { abi, bytecode: `0x${compiled.evm.bytecode.object}`, slots };
}

if (require.main === module) writeFileSync(ARTEFACT_PATH, `${JSON.stringify(compileSandboxToken(), null, 2)}\n`);
