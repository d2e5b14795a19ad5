import { isoTime } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import type { BlockHeader, ObservedTransfer } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { SystemCommands } from '../../kernel/system-commands';
import type { Token } from '../../vocabulary/tokens';
import { microDepositId, unitsOfAmount } from '../../modules/wallets/micro-deposit-amount';
import { isDepositOf, microDeposits } from '../../modules/wallets/micro-deposit.decider';

type DepositSighting = {
  readonly mode: Mode;
  readonly token: Token;
  readonly transfer: ObservedTransfer;
  readonly block: BlockHeader;
  /**
   * Milliseconds by the wall's clock, which rules these deposits: the block's time, on a local chain that of first
   * sight.
   */
  readonly paidAtMs: number;
};

/**
 * Finds the merchant to whom a transfer to the verification address belongs as a proof: by its sender, its token and
 * its exact amount.
 */
export class MicroDepositMatching {
  private readonly commands: SystemCommands;

  constructor(
    commands: SystemCommands,
    private readonly log: Log,
  ) {
    this.commands = commands.of('micro_deposits');
  }

  /**
   * False where the transfer proves nothing: from another address, of another amount, or sent when no proof was
   * awaited.
   */
  async observe(sighting: DepositSighting): Promise<boolean> {
    const found = await this.isAwaited(sighting);
    if (!found) {
      const { mode, token, transfer } = sighting;
      this.log.info({ mode, network: token.network, tx_hash: transfer.txHash }, 'a deposit proves no wallet');
    }
    return found;
  }

  /** Whether a deposit from the sender, of the amount, was ever awaited. */
  async isMet({ mode, token, transfer }: Pick<DepositSighting, 'mode' | 'token' | 'transfer'>): Promise<boolean> {
    const units = unitsOfAmount(token, transfer.valueBaseUnits);
    if (units === null) return false;
    const { state } = await this.commands.read(microDeposits, mode, microDepositId(token, transfer.from, units));
    return state.status !== 'free';
  }

  private async isAwaited({ mode, token, transfer, block, paidAtMs }: DepositSighting): Promise<boolean> {
    const units = unitsOfAmount(token, transfer.valueBaseUnits);
    if (units === null) return false;
    const id = microDepositId(token, transfer.from, units);
    const deposit = {
      tx_hash: transfer.txHash,
      ordinal: transfer.ordinal,
      block_number: transfer.blockNumber,
      block_hash: transfer.blockHash,
      block_time: isoTime(block.timeMs),
    };
    const see = { type: 'see', deposit, to: transfer.to, sentAtMs: paidAtMs } as const;
    const { state } = await this.commands.execute(
      microDeposits,
      id,
      ({ state: known, history }) =>
        known.status === 'free'
          ? null
          : { command: see, actor: 'watcher', merchantId: history.at(-1)?.metadata.merchant_id ?? null },
      { mode, cause: null },
    );
    return isDepositOf(state, deposit);
  }
}
