import { isoTime } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import type { KnownClock } from '../../kernel/merchant-clocks';
import type { BlockHeader, ObservedTransfer } from '../../kernel/ports/chain';
import type { Mode } from '../../vocabulary/modes';
import type { Token } from '../../vocabulary/tokens';
import { transferId } from '../../modules/transfers/transfer.decider';
import type { TransferKey, TransferSeen } from '../../modules/transfers/transfer.events';

/**
 * A transfer below a hundredth of a token is dust, and gets no stream, where it matches nothing and nobody has named
 * it.
 */
const DUST_PER_TOKEN = 100n;

/** Throws where a block, or a transfer on the amount slot in one of them, is not read yet. */
export type RequireGapless = (slotId: string | null) => Promise<void>;

/** A transfer as somebody has read it on the chain. */
export type Sighting = {
  readonly mode: Mode;
  readonly token: Token;
  readonly transfer: ObservedTransfer;
  readonly block: Pick<BlockHeader, 'timeMs'>;
  /**
   * The wall's moment at which a reservation must have been open: the block's time or that of first sight, by the
   * chain's policy.
   */
  readonly paidAtMs: number;
  /** A person names the transfer for a payment: the transfer gets a stream even if it is small. */
  readonly isNamed?: boolean;
  /**
   * One provider alone may have read the transfer, and left out earlier ones. The transfer is observed once more when
   * its block is agreed on.
   */
  readonly isProvisional?: boolean;
  /**
   * Throws where blocks before this one, or transfers of its amount in them, are not read yet: then their absence
   * proves nothing.
   */
  readonly requireGapless?: () => Promise<void>;
  /**
   * As `requireGapless`, for another amount slot, or for none, and up to the end of this block. Absent where the
   * sighting leads to no judgement.
   */
  readonly requireGaplessOn?: RequireGapless;
  /** The event for which the chain was looked at; null where a watcher reads the chain. */
  readonly cause?: RecordedEvent | null;
  /** The clock of the merchant whose request led here. */
  readonly clock?: KnownClock;
};

export function isTooSmall({ decimals }: Token, valueBaseUnits: bigint): boolean {
  return valueBaseUnits * DUST_PER_TOKEN < 10n ** BigInt(decimals);
}

export function keyOf({ token, transfer }: Sighting): TransferKey {
  return { network: token.network, txHash: transfer.txHash, ordinal: transfer.ordinal };
}

export function askedOf(sighting: Sighting) {
  const { mode, token, transfer, paidAtMs } = sighting;
  const { to: address, valueBaseUnits, blockHash } = transfer;
  const place = { mode, token, address };
  return { place, transferId: transferId(keyOf(sighting)), valueBaseUnits, paidAtMs, blockHash };
}

export function factsOf({ token, transfer, block }: Sighting): TransferSeen['data'] {
  return {
    token_id: token.id,
    from: transfer.from,
    to: transfer.to,
    value_base_units: transfer.valueBaseUnits.toString(),
    block_number: transfer.blockNumber,
    block_hash: transfer.blockHash,
    block_time: isoTime(block.timeMs),
  };
}
