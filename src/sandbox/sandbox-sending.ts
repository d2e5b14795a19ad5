import type { SandboxAccount } from './sandbox-accounts';

/** A call of a contract, both addresses in the node's form. */
export type SandboxCall = {
  readonly account: SandboxAccount;
  readonly to: string;
  readonly data: string;
  readonly gas: number;
  /** Coins that go along; none where absent, and on TRON none at all. */
  readonly wei?: bigint;
};

/** `txHash` is the transaction's hash or id; `data` is the input of its call. */
export type SentCall = { readonly txHash: string; readonly data: string };

export type OnSigned = (txHash: string) => void | Promise<void>;

/** How accounts of a local chain sign and send, in their network's manner. */
export interface SandboxSending {
  /** Answers the transaction's hash or id, which `onSigned` gets, and is done with, before anything is sent. */
  send(call: SandboxCall, onSigned?: OnSigned): Promise<string>;
  /** The call, whether in a block or not yet; null for an unknown transaction. */
  sentCall(txHash: string): Promise<SentCall | null>;
  /** The signed bytes as hex; null for an unknown transaction. */
  rawTransaction(txHash: string): Promise<string | null>;
  /** The transactions in the block at this height, in their order; empty above the head. */
  transactionsAt(height: number): Promise<readonly string[]>;
  /** The form in which the node puts these signed bytes into a block again. */
  resendable(rawTransaction: string): unknown;
}
