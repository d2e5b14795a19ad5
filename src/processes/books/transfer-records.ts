import { everyDocument } from '../../kernel/every-document';
import type { ObservedTransfer } from '../../kernel/ports/chain';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import type { Mode } from '../../vocabulary/modes';
import type { Token } from '../../vocabulary/tokens';
import type { BookedAs, KnownColumn, Movement } from '../../modules/books/day-sums';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type { KnownTransfer, Transfer } from '../../modules/transfers/transfer.state';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import { microDepositId, unitsOfAmount } from '../../modules/wallets/micro-deposit-amount';
import { microDeposits } from '../../modules/wallets/micro-deposit.decider';
import { isTooSmall } from '../matching/sighting';
import type { BookedWallet } from './booked-wallets';

const PAGE = 500;

/** The wallets of one address, and the addresses of each merchant. */
export type BookedAddresses = {
  readonly walletsAt: (address: string) => readonly BookedWallet[];
  readonly isOwn: (merchantId: string, address: string) => boolean;
};

/** A transfer as the log has it. */
export type Recorded = { readonly movement: Movement; readonly to: string; readonly state: KnownTransfer };

type TransferRecordsParts = {
  readonly mode: Mode;
  readonly token: Token;
  /** The address of micro-deposits; null where the network has none. */
  readonly depositAddress: string | null;
  readonly readModels: ReadModels;
  readonly commands: SystemCommands;
};

/** The log's own word on transfers, for comparison with the chain's. */
export class TransferRecords {
  constructor(private readonly parts: TransferRecordsParts) {}

  /** Null where the log does not have the transfer at that address, or has it as off the chain. */
  async recorded({ txHash, ordinal, to }: ObservedTransfer): Promise<KnownTransfer | null> {
    const { mode, token, commands } = this.parts;
    const id = transferStreamId({ network: token.network, txHash, ordinal });
    const { state } = await commands.read(transfers, mode, id);
    if (!isStanding(state)) return null;
    const facts = bookedFacts(state);
    return facts.to === to && facts.token_id === token.id ? state : null;
  }

  /** A transfer that the log does not have. The watcher keeps nothing of dust, and saw nothing before it watched. */
  async unrecorded(transfer: ObservedTransfer, isBeforeWatch: boolean): Promise<BookedAs> {
    if (isBeforeWatch || (await this.isDeposit(transfer))) return { column: 'unrelated' };
    return { column: isTooSmall(this.parts.token, transfer.valueBaseUnits) ? 'dust' : 'unknown' };
  }

  async columnOf(state: KnownTransfer, wallet: BookedWallet, addresses: BookedAddresses): Promise<KnownColumn> {
    const { claim } = state;
    const { from, to } = bookedFacts(state);
    if (claim === null) return addresses.isOwn(wallet.merchantId, from) ? 'unrelated' : 'unmatched';
    if (addresses.walletsAt(to).length === 1) return 'credited';
    // Another merchant who receives at the same address has got the payment.
    const { owner } = await this.parts.commands.read(paymentIntents, this.parts.mode, claim);
    return owner === wallet.merchantId ? 'credited' : 'unrelated';
  }

  /** The transfers that the log has in these blocks, and the chain does not: `known` names those of the chain. */
  async missing(from: number, to: number, known: ReadonlySet<string>): Promise<readonly Recorded[]> {
    const { mode, token, readModels, commands } = this.parts;
    const found: Recorded[] = [];
    for (const open of [true, false]) {
      const equals = { mode, network_id: token.network, open };
      const query = { index: 'by_block', equals, range: { from, to }, limit: PAGE };
      for await (const { body } of everyDocument(readModels, unmatchedTransfersReadModel, query)) {
        const { tx_hash: txHash, ordinal } = body;
        if (body.token_id !== token.id || known.has(keyOf({ txHash, ordinal }))) continue;
        const id = transferStreamId({ network: token.network, txHash, ordinal });
        const { state } = await commands.read(transfers, mode, id);
        if (!isStanding(state) || state.seen.block_number < from || state.seen.block_number > to) continue;
        const { to: address, value_base_units: value } = bookedFacts(state);
        found.push({ movement: { txHash, ordinal, valueBaseUnits: BigInt(value) }, to: address, state });
      }
    }
    return found;
  }

  /** The transfers among them that the log still has, in the same block. */
  async stillMissing(all: readonly Recorded[]): Promise<readonly Recorded[]> {
    const { mode, token, commands } = this.parts;
    const standing: Recorded[] = [];
    for (const each of all) {
      const { txHash, ordinal } = each.movement;
      const id = transferStreamId({ network: token.network, txHash, ordinal });
      const { state } = await commands.read(transfers, mode, id);
      if (isStanding(state) && state.seen.block_hash === each.state.seen.block_hash) standing.push({ ...each, state });
    }
    return standing;
  }

  private async isDeposit({ txHash, ordinal, from, to, valueBaseUnits }: ObservedTransfer): Promise<boolean> {
    const { mode, token, depositAddress, commands } = this.parts;
    const units = to === depositAddress ? unitsOfAmount(token, valueBaseUnits) : null;
    if (units === null) return false;
    const { history } = await commands.read(microDeposits, mode, microDepositId(token, from, units));
    return history.some(
      ({ type, data }) => type === 'MicroDepositSeen' && data.tx_hash === txHash && data.ordinal === ordinal,
    );
  }
}

/**
 * The facts that the log goes by: those of the claim, where a payment has the transfer. A later sighting with another
 * value does not change what the payment counts.
 */
export function bookedFacts({ claim, claimedFacts, seen }: KnownTransfer) {
  return claim !== null && claimedFacts !== null ? claimedFacts : seen;
}

export function keyOf({ txHash, ordinal }: Pick<Movement, 'txHash' | 'ordinal'>): string {
  return `${txHash}:${ordinal}`;
}

function isStanding(state: Transfer): state is KnownTransfer {
  return state.status !== 'none' && state.status !== 'reorged_out';
}
