import type { BlockHeader, BlockReading } from '../../../kernel/ports/chain';
import type { NetworkId } from '../../../vocabulary/networks';
import type { Side } from '../evm/transfer-logs';
import type { BlockPlace } from '../readings';
import type { Operation } from './provider-panel';
import type { RangeProvider, ScannedRange } from './range-reader';
import type { ReceiptQuestion } from './reading-agreement';

/** The questions to one kind of node; each question goes to one provider. */
export type Dialect<P extends RangeProvider> = {
  readonly network: NetworkId;
  /** The chain's name in errors and log lines. */
  readonly chain: string;
  /** The name of the chain's token standard. */
  readonly tokenStandard: string;
  readonly serves: Operation<P, boolean>;
  /** Null where no contract with decimals stands at the address. */
  readonly decimalsOf: (provider: P, contract: string) => Promise<bigint | null>;
  readonly headOf: Operation<P, BlockHeader>;
  /** Null above the provider's head. */
  readonly headerAt: (provider: P, height: number) => Promise<BlockHeader | null>;
  readonly finalizedOf: Operation<P, number>;
  /** `side`: transfers from these addresses as well. */
  readonly scan: (
    provider: P,
    contract: string,
    recipients: readonly string[],
    side?: Side,
  ) => {
    /** `isLate`: a receipt that the provider lacks is not merely on its way. */
    inBlock(hash: string, isLate: boolean): Promise<BlockReading>;
    inRange(from: number, to: number): Promise<ScannedRange>;
  };
  readonly receiptOf: ReceiptQuestion<P>;
  readonly contractAnswer: (provider: P, address: string, data: string) => Promise<string | null>;
  /**
   * The balance of `owner` right after the block. Throws Refusal with StateGone as its cause where the provider does
   * not keep the block's state.
   */
  readonly balanceOf: (provider: P, contract: string, owner: string, block: BlockPlace) => Promise<bigint>;
};
