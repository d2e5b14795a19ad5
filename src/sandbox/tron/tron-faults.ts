/** A fault in place of an answer: no answer at all; a status; java-tron's error within a 200; a lite node's text. */
export type TronFault = 'hang' | 'lite_node' | { readonly status: number } | { readonly error: string };

/** Troubles of real providers, to be switched on and off while the facade serves. */
export type TronFaults = {
  /** Called before each request is served, with its path; null serves the request. */
  answer: (path: string) => TronFault | null;
  /** Serves the genesis block and chain id of another network. */
  wrongGenesis: boolean;
  /** Blocks that the served head stays behind the chain's. */
  staleBlocks: number;
  /** From this height on, this provider's block ids differ from all other providers'; null for none. */
  forkFrom: number | null;
  /** Transactions, by id, whose logs are left out. */
  hiddenLogsOf: ReadonlySet<string>;
};

export function noFaults(): TronFaults {
  return { answer: () => null, wrongGenesis: false, staleBlocks: 0, forkFrom: null, hiddenLogsOf: new Set() };
}
