import { isoTime } from '../../kernel/clock';
import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { BlockHeader, ObservedTransfer } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { Token } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { microDepositId, unitsOfAmount } from '../../modules/wallets/micro-deposit-amount';
import { isDepositOf, microDeposits } from '../../modules/wallets/micro-deposit.decider';

export type DepositSighting = {
  readonly mode: Mode;
  readonly token: Token;
  readonly transfer: ObservedTransfer;
  readonly block: BlockHeader;
  /** By the wall's clock, which rules these deposits: the block's time; on a sandbox chain that of first sight. */
  readonly paidAtMs: number;
};

/** Finds whose proof a transfer to the verification address is: by its sender, its token and its exact amount. */
export class MicroDepositMatching {
  private misses = 0;

  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly entropy: Entropy,
    private readonly log: Log,
  ) {}

  /**
   * False where the transfer proves nothing: from another address, of another amount, or sent when nobody waited for
   * it.
   */
  async observe(sighting: DepositSighting): Promise<boolean> {
    const found = await this.isAwaited(sighting);
    if (!found) {
      this.misses += 1;
      const { mode, token, transfer } = sighting;
      this.log.info({ mode, network: token.network, tx_hash: transfer.txHash }, 'a deposit proves no wallet');
    }
    return found;
  }

  /** Transfers to verification addresses that proved nothing, since the start. */
  get missCount(): number {
    return this.misses;
  }

  /** Whether a deposit from the sender, of the amount, was ever waited for. */
  async isMet({ mode, token, transfer }: Pick<DepositSighting, 'mode' | 'token' | 'transfer'>): Promise<boolean> {
    const units = unitsOfAmount(token, transfer.valueBaseUnits);
    if (units === null) return false;
    const { state } = await this.writes.load(microDeposits, mode, microDepositId(token, transfer.from, units));
    return state.status !== 'free';
  }

  private async isAwaited({ mode, token, transfer, block, paidAtMs }: DepositSighting): Promise<boolean> {
    const units = unitsOfAmount(token, transfer.valueBaseUnits);
    if (units === null) return false;
    const id = microDepositId(token, transfer.from, units);
    const { state, history } = await this.writes.load(microDeposits, mode, id);
    if (state.status === 'free') return false;
    const deposit = {
      tx_hash: transfer.txHash,
      ordinal: transfer.ordinal,
      block_number: transfer.blockNumber,
      block_hash: transfer.blockHash,
      block_time: isoTime(block.timeMs),
    };
    const merchantId = history.at(-1)?.metadata.merchant_id ?? null;
    const see = { type: 'see', deposit, to: transfer.to, sentAtMs: paidAtMs } as const;
    const seen = await this.writes.execute(microDeposits, id, see, await this.context(mode, merchantId));
    return isDepositOf(seen.state, deposit);
  }

  private async context(mode: Mode, merchantId: string | null): Promise<CommandContext> {
    const now = await this.clock.merchantNow(mode, merchantId);
    return systemContext(this.entropy, { actor: 'watcher', mode, merchantId, now });
  }
}
