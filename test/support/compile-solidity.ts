import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * The bytes of code that a WebAssembly module runs before node optimizes it. To optimize the compiler takes twice as
 * long as these compilations. A module keeps the budget that is in force when it is loaded.
 */
const BUDGET = '--wasm-tiering-budget';
const NEVER = 1_000_000_000;
/** The budget of node itself. */
const USUAL = 1_800_000;

export type Source = { readonly folder: string; readonly file: string; readonly contract: string };

type Output<Contract> = {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Contract>>>>;
};

/** The selected parts of the compiled contract. Rejects on any warning. */
export async function compileSolidity<Contract>(
  { folder, file, contract }: Source,
  selection: readonly string[],
): Promise<Contract> {
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readFileSync(path.join(folder, file), 'utf8') } },
    settings: {
      evmVersion: 'shanghai',
      optimizer: { enabled: true, runs: 200 },
      // The source's hash at the code's end would change with every comment.
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': selection } },
    },
  };
  setFlagsFromString(`${BUDGET}=${NEVER}`);
  const { default: solc } = await import('solc');
  setFlagsFromString(`${BUDGET}=${USUAL}`);
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output<Contract>;
  if (output.errors?.length) throw new Error(output.errors.map(error => error.formattedMessage).join('\n'));
  const compiled = output.contracts[file]?.[contract];
  if (!compiled) throw new Error(`${file} holds no ${contract}`);
  return compiled;
}
