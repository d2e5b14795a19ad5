import type { SandboxAccount } from './sandbox-accounts';

/** A call of a contract, both addresses in the node's form. */
export type SandboxCall = {
  readonly account: SandboxAccount;
  readonly to: string;
  readonly data: string;
  readonly gas: number;
  /** Coins that go along; none unless told, and on TRON none at all. */
  readonly wei?: bigint;
};

/** `txHash` is the transaction's hash or id; `data` what it called its contract with. */
export type SentCall = { readonly txHash: string; readonly data: string };

/** How accounts of a local chain sign and send, in their network's manner. */
export interface SandboxSending {
  /** The transaction's hash or id, which `onSigned` is told before anything is sent. */
  send(call: SandboxCall, onSigned?: (txHash: string) => void): Promise<string>;
  /** Be it in a block or not yet; null for an unknown transaction. */
  sentCall(txHash: string): Promise<SentCall | null>;
  /** The signed bytes as hex; null for an unknown transaction. */
  rawTransaction(txHash: string): Promise<string | null>;
  /** Of the transactions in the block at this height, in their order; empty above the head. */
  transactionsAt(height: number): Promise<readonly string[]>;
  /** What the node takes to put these signed bytes into a block again. */
  resendable(rawTransaction: string): unknown;
}
