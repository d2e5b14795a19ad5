import type { ChainProgress } from '../vocabulary/finality';
import type { BlockHeader, Chain } from '../kernel/ports/chain';

/** The blocks that may have been replaced since payments were last looked at. */
export type Replaced = {
  /** The blocks from this height on have been replaced; null: none is known to be. */
  readonly from: number | null;
  /** Whether any other may have been replaced too, since the chain was not looked at for a while. */
  readonly isUnknown: boolean;
};

type HeaderAt = (height: number) => Promise<BlockHeader | null>;

/** The chain as one tick sees it; each height is asked for once. */
export class ChainView {
  private readonly hashes = new Map<number, Promise<string | null>>();
  private readonly agreed = new Map<number, Promise<string | null>>();

  constructor(
    readonly head: BlockHeader,
    readonly finalizedHeight: number,
    readonly replaced: Replaced,
    private readonly chain: Chain,
    private readonly headerAt: HeaderAt,
    /** Height up to which transfers have been looked for. */
    private readonly scannedTo = head.number,
  ) {}

  /**
   * The chain as far as it is scanned: nothing is decided on a payment whose other transfers may come just after that.
   */
  get scanned(): ChainProgress {
    const number = Math.min(this.head.number, this.scannedTo);
    return { head: { number }, finalizedHeight: Math.min(this.finalizedHeight, number) };
  }

  /** The canonical hash of a height up to the head, by one provider's word. */
  readonly hashAt = (height: number): Promise<string | null> =>
    remembered(this.hashes, height, async () => (await this.headerAt(height))?.hash ?? null);

  /** The hash on which enough providers agree; null while they do not. */
  readonly agreedHash = (height: number): Promise<string | null> =>
    remembered(this.agreed, height, () => this.chain.agreedHash(height));
}

function remembered<T>(known: Map<number, Promise<T>>, height: number, ask: () => Promise<T>): Promise<T> {
  const answer = known.get(height) ?? ask();
  known.set(height, answer);
  return answer;
}
