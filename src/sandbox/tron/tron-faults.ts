/**
 * What a request is answered with in place of an answer: nothing, ever; a status; java-tron's error within a 200; a
 * lite node's text.
 */
export type TronFault = 'hang' | 'lite_node' | { readonly status: number } | { readonly error: string };

/** Troubles of real providers, to be switched on and off while the facade serves. */
export type TronFaults = {
  /** Asked before each request is served, with its path; null serves it. */
  answer: (path: string) => TronFault | null;
  /** Serves the genesis block and chain id of another network. */
  wrongGenesis: boolean;
  /** Blocks that the served head stays behind the chain's. */
  staleBlocks: number;
  /** From this height on, this provider gives its blocks other ids than everybody else; null for none. */
  forkFrom: number | null;
  /** Transactions, by id, whose logs are left out. */
  hiddenLogsOf: ReadonlySet<string>;
};

export function noFaults(): TronFaults {
  return { answer: () => null, wrongGenesis: false, staleBlocks: 0, forkFrom: null, hiddenLogsOf: new Set() };
}
