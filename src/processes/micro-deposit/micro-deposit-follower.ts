import { SECOND_MS, type Clock } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { everyDocument } from '../../kernel/every-document';
import { finalHeight } from '../../vocabulary/finality';
import { Interruptions } from '../../kernel/interruptions';
import type { BlockHeader, Chain, Receipt } from '../../kernel/ports/chain';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import { TOKENS } from '../../vocabulary/tokens';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { assertWatched } from '../../modules/wallets/commands/assert-watched';
import {
  microDeposits,
  type Deposit,
  type DepositRequest,
  type MicroDepositCommand,
} from '../../modules/wallets/micro-deposit.decider';
import type { MicroDepositDropped } from '../../modules/wallets/micro-deposit.events';
import { microDepositsReadModel } from '../../modules/wallets/micro-deposits.read-model';
import { wallets } from '../../modules/wallets/wallet.decider';
import { LookUpBudget } from '../matching/look-up-budget';

const PAGE = 500;
/** The time of one tick: the scan waits meanwhile. */
const BUDGET_MS = 3 * SECOND_MS;
/** Deposits about which the chain is asked, each by two questions at most. An honest merchant has one at a time. */
const DEPOSIT_RATES = {
  merchant: { burst: 4, perSecond: 0.5, underWay: 1 },
  network: { burst: 8, perSecond: 1, underWay: 1 },
};
const ALL = 'all merchants';

/** The chain as one tick of its watcher sees it. `hashAt` answers the canonical hash of a height up to the head. */
type DepositView = {
  readonly head: BlockHeader;
  readonly finalizedHeight: number;
  readonly hashAt: (height: number) => Promise<string | null>;
};

type MicroDepositFollowerParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly chain: Chain;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly commands: SystemCommands;
  readonly clock: Clock;
  readonly log: Log;
};

type Followed = { readonly id: string; readonly merchantId: string };
/** `cause`: the event of the last sighting. */
type Seen = Followed & { readonly cause: RecordedEvent | null };
/** Deposits by their ids; null for no bound. */
type Span = { readonly from: string | null; readonly to: string | null };
type Reason = MicroDepositDropped['data']['reason'];

/**
 * Follows seen micro-deposits until they are final, which verifies the wallet, or until a reorganisation takes them.
 * Any merchant can have any number of them, so the chain is asked as for a request, within a budget by merchant.
 */
export class MicroDepositFollower {
  private readonly commands: SystemCommands;
  private readonly budget: LookUpBudget;
  private readonly interruptions: Interruptions;
  /** The last deposit that the chain was asked about, or that was followed in time; the next tick begins behind it. */
  private reached: string | null = null;

  constructor(private readonly parts: MicroDepositFollowerParts) {
    this.commands = parts.commands.of('micro_deposits');
    this.budget = new LookUpBudget(parts.clock);
    this.interruptions = new Interruptions(parts.clock, parts.log, 'micro-deposit could not be followed');
  }

  async follow(view: DepositView): Promise<void> {
    const untilMs = this.parts.clock.now() + BUDGET_MS;
    const from = this.reached;
    if ((await this.followSome({ from, to: null }, view, untilMs)) && from !== null)
      await this.followSome({ from: null, to: from }, view, untilMs);
  }

  /** Follows the deposits behind `from`, up to `to`. False where the time was up. */
  private async followSome({ from, to }: Span, view: DepositView, untilMs: number): Promise<boolean> {
    const { mode, network, readModels, clock } = this.parts;
    const equals = { mode, network_id: network, status: 'seen' };
    const query = { index: 'by_network', equals, limit: PAGE, ...(from !== null && { after: { id: from } }) };
    for await (const { id, body } of everyDocument(readModels, microDepositsReadModel, query)) {
      if (to !== null && id > to) return true;
      await this.followOne({ id, merchantId: body.merchant_id }, view);
      if (clock.now() < untilMs) continue;
      this.reached = id;
      return false;
    }
    return true;
  }

  /** One deposit's trouble must not hold up the others; a later tick meets it again. */
  private async followOne(followed: Followed, view: DepositView): Promise<void> {
    try {
      await this.followDeposit(followed, view);
    } catch (error) {
      const { mode, network } = this.parts;
      this.interruptions.tell(error, { mode, network, micro_deposit: followed.id });
    }
  }

  private async followDeposit(followed: Followed, view: DepositView): Promise<void> {
    const { mode, network } = this.parts;
    const { state, history } = await this.commands.read(microDeposits, mode, followed.id);
    if (state.status !== 'seen') return;
    const seen = { ...followed, cause: history.at(-1) ?? null };
    const { deposit, request } = state;
    const depth = view.head.number - deposit.block_number;
    const isFinal = deposit.block_number <= finalHeight(NETWORKS[network].finality[mode].standard, view);
    // The scan remembers its newest blocks, so these are asked for once, however many deposits they hold.
    if (!isFinal && depth >= 0 && (await view.hashAt(deposit.block_number)) === deposit.block_hash) return;
    const end = this.budget.take({ [followed.merchantId]: DEPOSIT_RATES.merchant, [ALL]: DEPOSIT_RATES.network });
    if (end === null) return;
    this.reached = followed.id;
    try {
      if (isFinal) await this.followFinal(seen, request, deposit, depth);
      else await this.followVanished(seen, request, deposit, depth);
    } finally {
      end();
    }
  }

  private async followFinal(seen: Seen, request: DepositRequest, deposit: Deposit, depth: number): Promise<void> {
    const { mode, chain } = this.parts;
    const agreed = await chain.lookUpHash(deposit.block_number);
    if (agreed === null) return;
    if (agreed !== deposit.block_hash) return this.followVanished(seen, request, deposit, depth);
    const receipt = await this.receiptOf(deposit);
    if (receipt?.blockHash !== deposit.block_hash) return;
    const fault = faultOf(request, deposit, receipt, mode);
    if (fault !== null) return this.drop(seen, deposit, fault);
    await this.credit(seen, request, deposit);
  }

  /**
   * The deposit's block has left the chain. The deposit may come back in another block within the network's window; the
   * scan sees that block.
   */
  private async followVanished(seen: Seen, request: DepositRequest, deposit: Deposit, depth: number): Promise<void> {
    const { network, mode } = this.parts;
    const receipt = await this.receiptOf(deposit);
    const isLost = receipt === null && depth >= NETWORKS[network].reinclusionBlocks;
    const fault = receipt === null ? null : faultOf(request, deposit, receipt, mode);
    if (isLost || fault !== null) await this.drop(seen, deposit, fault ?? 'reorged_out');
  }

  private async receiptOf({ tx_hash: txHash }: Deposit): Promise<Receipt | null> {
    const look = await this.parts.chain.lookUp(txHash, 'whole');
    return look.kind === 'found' ? look.receipt : null;
  }

  /**
   * The wallet comes first, until it is watched: after a kill in between, the deposit is still followed and finds the
   * wallet verified.
   */
  private async credit(seen: Seen, request: DepositRequest, deposit: Deposit): Promise<void> {
    const { mode, network, readModels, writes, log } = this.parts;
    const credit = { type: 'credit_deposit', depositId: seen.id } as const;
    const { state } = await this.commands.execute(
      wallets,
      request.wallet_id,
      () => ({ command: credit, actor: 'watcher' }),
      { mode, cause: seen.cause },
    );
    if (state.status === 'verified')
      await assertWatched(writes, readModels, { id: request.wallet_id, mode, network, address: request.from });
    const { block_hash: blockHash } = deposit;
    await this.execute(seen, { type: 'credit', blockHash });
    log.info({ mode, wallet: request.wallet_id, tx_hash: deposit.tx_hash }, 'wallet verified by its micro-deposit');
  }

  private async drop(seen: Seen, { block_hash: blockHash }: Deposit, reason: Reason): Promise<void> {
    const { mode, log } = this.parts;
    log.warn({ mode, micro_deposit: seen.id, reason }, 'micro-deposit dropped');
    await this.execute(seen, { type: 'drop', blockHash, reason });
  }

  private async execute({ id, merchantId, cause }: Seen, command: MicroDepositCommand): Promise<void> {
    const { mode } = this.parts;
    await this.commands.execute(microDeposits, id, () => ({ command, actor: 'watcher', merchantId }), {
      mode,
      cause,
    });
  }
}

/** The receipt's contradiction to the seen deposit; null when the receipt bears the deposit out. */
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
