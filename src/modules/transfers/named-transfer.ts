import { refuse, type Refusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { ObservedTransfer, Receipt } from '../../kernel/ports/chain';
import type { Token } from '../../vocabulary/tokens';
import { invalidTxHash } from './transaction-reference';

type Destination = { readonly mode: Mode; readonly token: Token; readonly address: string };

/** Transfers of one transaction that a message lists. */
const LISTED = 10;

/**
 * The one transfer that is meant by a transaction named for a payment to this address. Throws Refusal invalid_tx_hash
 * where the transaction holds none. Throws invalid_log_index where several fit and the log index names none of them.
 */
export function namedTransfer(receipt: Receipt, to: Destination, logIndex: number | null): ObservedTransfer {
  const { asset, network } = to.token;
  if (!receipt.succeeded) throw invalidTxHash('This transaction was reverted: it moved nothing.');
  const fitting = receipt.transfers.filter(each => isFitting(each, to));
  if (fitting.length === 0 && receipt.transfers.some(each => isToken(each, to) && isToItself(each)))
    throw transferToItself(asset, to.address);
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

/**
 * Strangers can make a log of no value in any address's name, so such a log fits no payment. A transfer from the
 * address to itself fits none either.
 */
export function isFitting(transfer: ObservedTransfer, destination: Destination): boolean {
  return transfer.valueBaseUnits > 0n && isToken(transfer, destination) && !isToItself(transfer);
}

/** Such a transfer brings its receiver nothing, so it never counts. */
export function isToItself({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return from === to;
}

/** The refusal of a naming that means such a transfer. */
export function transferToItself(asset: string, address: string): Refusal {
  return invalidTxHash(`This transaction moves ${asset} from ${address} to itself: such a transfer pays nothing.`);
}

function isToken({ contract, to }: ObservedTransfer, { mode, token, address }: Destination): boolean {
  return contract === token.contract[mode] && to === address;
}
