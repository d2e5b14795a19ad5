import { operatorContext } from '../../../src/cli/operator-context';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { microDeposits } from '../../../src/modules/wallets/micro-deposit.decider';
import { users } from '../../../src/modules/users/user.decider';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { developmentWallet } from '../../support/customer';
import { tronOwner } from '../../support/tron-customer';
import type { DashboardStage, PersonBrowser } from '../dashboard-stage';
import { ownWallet } from './own-wallet';

const TRON_INDEX = 6;
const BLOCK_HASH = `0x${'b1'.repeat(32)}`;

/** Ids of wallets of the stage's owner, each on another step of its proof. */
export type StagedWallets = {
  /** Dedicated, and the goal of the route of USDC on Base. */
  readonly verified: string;
  readonly fresh: string;
  readonly signing: string;
  readonly awaiting: string;
  readonly seen: string;
};

const staged = new WeakMap<DashboardStage, Promise<StagedWallets>>();

/** Gives the stage's owner these wallets, once. */
export function stagedWallets(dashboard: DashboardStage): Promise<StagedWallets> {
  const known = staged.get(dashboard) ?? makeWallets(dashboard);
  staged.set(dashboard, known);
  return known;
}

async function makeWallets(dashboard: DashboardStage): Promise<StagedWallets> {
  const { merchant } = dashboard;
  const register = async (index: number, changes: object) => {
    const { address } = developmentWallet(index);
    const { id } = await merchant.registerWallet({ address, ...changes });
    return String(id);
  };
  const ask = (id: string, method: string) => merchant.done(`POST /v1/wallets/${id}/challenge`, { body: { method } });
  const verified = await ownWallet(dashboard);
  await merchant.done(`POST /v1/wallets/${verified}`, { body: { dedicated: true } }, true);
  const fresh = await register(10, { label: 'Reserve, which nobody has proved yet', network_id: 'bnb' });
  const { address } = tronOwner(TRON_INDEX);
  const signing = await register(11, { label: 'TRON', network_id: 'tron', address });
  await ask(signing, 'signed_message');
  const awaiting = await register(12, { label: 'Cold store', network_id: 'bnb' });
  await ask(awaiting, 'micro_deposit');
  const seen = await register(13, { label: 'Vault' });
  await ask(seen, 'micro_deposit');
  await seeDeposit(dashboard, seen);
  return { verified, fresh, signing, awaiting, seen };
}

/** Records a transfer that a wallet was asked for as seen in a block: the last one asked for, or an earlier one. */
export async function seeDeposit(dashboard: DashboardStage, walletId: string, nth = -1): Promise<void> {
  const { core } = dashboard.stage;
  const id = (await depositIds(dashboard, walletId)).at(nth) ?? '';
  const { state } = await core.writes.load(microDeposits, 'test', id);
  if (state.status !== 'open') throw new Error('the wallet awaits no deposit');
  const { to, reserved_at: at } = state.request;
  const block = { block_number: 41, block_hash: BLOCK_HASH, block_time: at };
  const deposit = { tx_hash: `0x${'7a'.repeat(32)}`, ordinal: 0, ...block };
  const see = { type: 'see', deposit, to, sentAtMs: Date.parse(at) } as const;
  await core.writes.execute(microDeposits, id, see, contextOf(dashboard));
}

/** Records the seen deposit as gone with its block. */
export async function dropDeposit(dashboard: DashboardStage, walletId: string): Promise<void> {
  const id = (await depositIds(dashboard, walletId)).at(-1) ?? '';
  const drop = { type: 'drop', blockHash: BLOCK_HASH, reason: 'reorged_out' } as const;
  await dashboard.stage.core.writes.execute(microDeposits, id, drop, contextOf(dashboard));
}

/** Records the wallet's deposit as final. */
export async function creditDeposit(dashboard: DashboardStage, walletId: string): Promise<void> {
  const depositId = (await depositIds(dashboard, walletId)).at(-1) ?? '';
  const credit = { type: 'credit_deposit', depositId } as const;
  await dashboard.stage.core.writes.execute(wallets, walletId, credit, contextOf(dashboard));
}

async function depositIds({ stage: { core } }: DashboardStage, walletId: string): Promise<readonly string[]> {
  const { state } = await core.writes.load(wallets, 'test', walletId);
  return state.status === 'pending' ? state.depositIds : [];
}

function contextOf({ stage: { core }, merchant }: DashboardStage): MerchantContext {
  return { ...operatorContext({ ...core, user: 'alice' }), universe: 'test', merchantId: merchant.id };
}

/** Gives a person, the owner of an own account, a viewer's rights there. */
export async function asViewer({ stage: { core } }: DashboardStage, person: PersonBrowser): Promise<void> {
  const userId = person.merchant.registered.user_id;
  const { state } = await core.writes.load(users, 'platform', userId);
  const releasedTerm = state.status === 'active' ? state.ownerTerm : null;
  const context = { ...operatorContext({ ...core, user: 'alice' }), merchantId: person.merchant.id };
  await core.writes.execute(users, userId, { type: 'give_role', role: 'viewer', releasedTerm }, context);
}
