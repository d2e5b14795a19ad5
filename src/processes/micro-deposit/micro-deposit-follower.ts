import { microDepositsProjection } from '../../../projections/micro-deposits/micro-deposits.projection';
import { systemContext, type CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import type { Mode } from '../../kernel/event';
import { finalHeight } from '../../kernel/finality';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { BlockHeader, Chain, Receipt } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { NETWORKS, TOKENS, type NetworkId } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { assertWatched } from '../../modules/wallets/commands/assert-watched';
import { microDeposits, type Deposit, type DepositRequest } from '../../modules/wallets/micro-deposit.decider';
import type { MicroDepositDropped } from '../../modules/wallets/micro-deposit.events';
import { wallets } from '../../modules/wallets/wallet.decider';

const PAGE = 500;

/** The chain as one tick of its watcher sees it. `hashAt` answers the canonical hash of a height up to the head. */
export type DepositView = {
  readonly head: BlockHeader;
  readonly finalizedHeight: number;
  readonly hashAt: (height: number) => Promise<string | null>;
};

export type MicroDepositFollowerParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly log: Log;
};

type Followed = { readonly id: string; readonly merchantId: string };
type Reason = MicroDepositDropped['data']['reason'];

/** Follows seen micro-deposits until they are final, which verifies the wallet, or until a reorganisation takes them. */
export class MicroDepositFollower {
  constructor(private readonly parts: MicroDepositFollowerParts) {}

  async follow(view: DepositView): Promise<void> {
    const { mode, network, readModels, log } = this.parts;
    const equals = { mode, network_id: network, status: 'seen' };
    for (let after: { id: string } | undefined, full = true; full;) {
      const query = { index: 'by_network', equals, limit: PAGE, ...(after && { after }) };
      const page = await readModels.list(microDepositsProjection, query);
      for (const { id, body } of page) {
        try {
          await this.followDeposit({ id, merchantId: body.merchant_id }, view);
        } catch (error) {
          // One deposit's trouble must not hold up the others; it is met again at the next tick.
          log.error({ mode, micro_deposit: id, err: error }, 'micro-deposit could not be followed');
        }
      }
      const last = page.at(-1);
      full = page.length === PAGE;
      after = last && { id: last.id };
    }
  }

  private async followDeposit(followed: Followed, view: DepositView): Promise<void> {
    const { mode, network, chain, writes } = this.parts;
    const { state } = await writes.load(microDeposits, mode, followed.id);
    if (state.status !== 'seen') return;
    const { deposit, request } = state;
    const depth = view.head.number - deposit.block_number;
    const standing = depth >= 0 && (await view.hashAt(deposit.block_number)) === deposit.block_hash;
    if (!standing) return this.followVanished(followed, request, deposit, depth);
    if (deposit.block_number > finalHeight(NETWORKS[network].finality[mode].standard, view)) return;
    if ((await chain.agreedHash(deposit.block_number)) !== deposit.block_hash) return;
    const receipt = await chain.receipt(deposit.tx_hash);
    if (receipt?.blockHash !== deposit.block_hash) return;
    const fault = faultOf(request, deposit, receipt, mode);
    if (fault !== null) return this.drop(followed, deposit, fault);
    await this.credit(followed, request, deposit);
  }

  /** Its block has left the chain: it may come back in another, which the scan sees, within the network's window. */
  private async followVanished(
    followed: Followed,
    request: DepositRequest,
    deposit: Deposit,
    depth: number,
  ): Promise<void> {
    const { network, mode, chain } = this.parts;
    const receipt = await chain.receipt(deposit.tx_hash);
    const isLost = receipt === null && depth >= NETWORKS[network].reinclusionBlocks;
    const fault = receipt === null ? null : faultOf(request, deposit, receipt, mode);
    if (isLost || fault !== null) await this.drop(followed, deposit, fault ?? 'reorged_out');
  }

  /** The wallet first, until it is watched: after a kill in between, the deposit is still followed and finds the wallet verified. */
  private async credit(followed: Followed, request: DepositRequest, deposit: Deposit): Promise<void> {
    const { mode, network, readModels, writes, log } = this.parts;
    const credit = { type: 'credit_deposit', depositId: followed.id } as const;
    const { state } = await writes.execute(wallets, request.wallet_id, credit, await this.context(followed));
    if (state.status === 'verified')
      await assertWatched(writes, readModels, { id: request.wallet_id, mode, network, address: request.from });
    const { block_hash: blockHash } = deposit;
    await writes.execute(microDeposits, followed.id, { type: 'credit', blockHash }, await this.context(followed));
    log.info({ mode, wallet: request.wallet_id, tx_hash: deposit.tx_hash }, 'wallet verified by its micro-deposit');
  }

  private async drop(followed: Followed, { block_hash: blockHash }: Deposit, reason: Reason): Promise<void> {
    const { mode, writes, log } = this.parts;
    log.warn({ mode, micro_deposit: followed.id, reason }, 'micro-deposit dropped');
    await writes.execute(microDeposits, followed.id, { type: 'drop', blockHash, reason }, await this.context(followed));
  }

  private async context({ merchantId }: Followed): Promise<CommandContext> {
    const { mode, clock, entropy } = this.parts;
    const now = await clock.merchantNow(mode, merchantId);
    return systemContext(entropy, { actor: 'watcher', mode, merchantId, now });
  }
}

/** What the receipt says against the deposit that was seen; null when it bears it out. */
function faultOf(request: DepositRequest, deposit: Deposit, receipt: Receipt, mode: Mode): Reason | null {
  if (!receipt.succeeded) return 'reverted';
  const logged = receipt.transfers.find(({ ordinal }) => ordinal === deposit.ordinal);
  const isBorneOut =
    logged !== undefined &&
    logged.valueBaseUnits.toString() === request.amount_base_units &&
    logged.from === request.from &&
    logged.to === request.to &&
    logged.contract === TOKENS[request.token_id].contract[mode];
  return isBorneOut ? null : 'verification_failed';
}
