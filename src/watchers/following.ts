import { SECOND_MS, type Clock } from '../kernel/clock';
import type { ChainProgress } from '../vocabulary/finality';
import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import type { ChainScan } from './chain-scan';
import { ChainView } from './chain-view';
import type { PaymentFollower } from './payment-follower';

/** Seen payments wait so long at most while a scan goes on. */
const FOLLOW_EVERY_MS = 3 * SECOND_MS;

type Progress = ChainProgress & { readonly head: BlockHeader };

/** Follows the seen payments at the end of each tick, and now and then while its scan goes on. */
export class Following {
  private progress: Progress | null = null;
  private scannedTo: number | null = null;
  private followedAtMs = 0;

  constructor(
    private readonly chain: Chain,
    private readonly scan: Pick<ChainScan, 'scannedAt' | 'replaced'>,
    private readonly payments: Pick<PaymentFollower, 'follow'>,
    private readonly deposits: Pick<MicroDepositFollower, 'follow'> | null,
    private readonly clock: Clock,
  ) {}

  /** Another process may have watched since. */
  forget(): void {
    this.scannedTo = null;
  }

  /** `progress` is null until the chain has told its heights. */
  begin(progress: Progress | null): void {
    this.progress = progress;
    this.followedAtMs = this.clock.now();
  }

  /** The blocks up to this height have been read. */
  async reached(height: number): Promise<void> {
    this.scannedTo = height;
    await this.between();
  }

  async between(): Promise<void> {
    const { progress, scannedTo, clock } = this;
    if (progress === null || scannedTo === null || clock.now() - this.followedAtMs < FOLLOW_EVERY_MS) return;
    await this.payments.follow(this.viewOf(progress, scannedTo));
    this.followedAtMs = clock.now();
  }

  async end(progress: Progress): Promise<void> {
    const view = this.viewOf(progress);
    await this.payments.follow(view);
    await this.deposits?.follow(view);
  }

  private viewOf({ head, finalizedHeight }: Progress, scannedTo?: number): ChainView {
    const { chain, scan } = this;
    const known = async (height: number): Promise<BlockHeader | null> =>
      scan.scannedAt(height) ?? (await chain.blockAt(height));
    return new ChainView(head, finalizedHeight, scan.replaced, chain, known, scannedTo);
  }
}
