import { refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { ObservedTransfer, Receipt } from '../../kernel/ports/chain';
import type { Token } from '../../kernel/tokens';
import { invalidTxHash } from './transaction-reference';

export type Destination = { readonly mode: Mode; readonly token: Token; readonly address: string };

/** Transfers of one transaction that a message lists. */
const LISTED = 10;

/**
 * The one transfer of a transaction that somebody means who names it for a payment to this address. Throws Refusal
 * invalid_tx_hash where it holds none, invalid_log_index where it holds several and none, or another one, was named.
 */
export function namedTransfer(receipt: Receipt, to: Destination, logIndex: number | null): ObservedTransfer {
  const { asset, network } = to.token;
  if (!receipt.succeeded) throw invalidTxHash('This transaction was reverted: it moved nothing.');
  const fitting = receipt.transfers.filter(each => isFitting(each, to));
  if (fitting.length === 0) throw invalidTxHash(`This transaction moves no ${asset} on ${network} to ${to.address}.`);
  const [only] = fitting;
  if (logIndex === null && only && fitting.length === 1) return only;
  const named = fitting.find(({ ordinal }) => ordinal === logIndex);
  if (named) return named;
  const places = fitting.slice(0, LISTED).map(({ ordinal }) => ordinal);
  throw refuse('invalid_log_index', {
    param: 'log_index',
    message: `This transaction moves ${asset} to ${to.address} at log_index ${places.join(', ')}: name one of these.`,
  });
}

/** Anybody can make a log of nothing in anybody's name: such a one fits nobody. */
export function isFitting(transfer: ObservedTransfer, { mode, token, address }: Destination): boolean {
  return transfer.valueBaseUnits > 0n && transfer.contract === token.contract[mode] && transfer.to === address;
}
