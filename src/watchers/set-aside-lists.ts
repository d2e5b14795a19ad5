import type { Mode } from '../vocabulary/modes';
import type { Document } from '../kernel/ports/documents';
import type { ReadModels } from '../kernel/ports/read-models';
import type { NetworkId } from '../vocabulary/networks';
import { TOKENS } from '../vocabulary/tokens';
import { amountSlotId } from '../modules/amount-slots/amount-slot.decider';
import { slotOfAmount } from '../modules/quotes/amount-grid';
import { coverageHolesReadModel, type CoverageHoleDocument } from '../modules/coverage/coverage-holes.read-model';
import {
  deferredTransfersReadModel,
  type DeferredTransferDocument,
} from '../modules/coverage/deferred-transfers.read-model';

/** Open holes of one network; scanning waits where another one would be opened. */
export const HOLES_LIMIT = 64;
/** Deferred transfers of one network; scanning waits where another one would be deferred. */
export const DEFERRED_LIMIT = 1_000;

/** One network in one mode, all its instances together. */
export type OfNetwork = { readonly mode: Mode; readonly network: NetworkId };
/** One chain of a network: its former instances had other blocks. */
export type OfInstance = OfNetwork & { readonly instance: string };
export type Hole = Document<CoverageHoleDocument>;
export type Deferred = Document<DeferredTransferDocument>;
/**
 * The part of a list to be read. `block`: that block alone. `below`: lower blocks alone. `after`: the rows behind that
 * one, which is the last row of the page before.
 */
export type Page<T> = { readonly block?: number; readonly below?: number; readonly after?: T };

type Lists = Pick<ReadModels, 'list'>;

/** Open holes of every instance, those of the lowest blocks first. */
export function listOpenHoles(
  readModels: Lists,
  network: OfNetwork,
  limit: number,
  page: Page<Hole> = {},
): Promise<readonly Hole[]> {
  return readModels.list(coverageHolesReadModel, queryOf(network, limit, page));
}

/** Open deferrals of every instance, those of the lowest blocks first. */
export function listOpenDeferrals(
  readModels: Lists,
  network: OfNetwork,
  limit: number,
  page: Page<Deferred> = {},
): Promise<readonly Deferred[]> {
  return readModels.list(deferredTransfersReadModel, queryOf(network, limit, page));
}

/** Open holes and deferrals of one network: those of every instance, the lowest blocks first. */
export type SetAside = { readonly holes: readonly Hole[]; readonly deferred: readonly Deferred[] };

export async function listSetAside(readModels: Lists, network: OfNetwork): Promise<SetAside> {
  const [holes, deferred] = await Promise.all([
    listOpenHoles(readModels, network, HOLES_LIMIT),
    listOpenDeferrals(readModels, network, DEFERRED_LIMIT),
  ]);
  return { holes, deferred };
}

/** All open holes of this instance: coverage of another one says nothing of it. */
export async function ownHoles(
  readModels: Lists,
  { instance, ...network }: OfInstance,
  page: Page<Hole> = {},
): Promise<readonly Hole[]> {
  const holes = await listOpenHoles(readModels, network, HOLES_LIMIT, page);
  return holes.filter(({ body }) => body.instance === instance);
}

/**
 * Whether no block below the height, and no transfer on the slot in one of them, is set aside. The deferral `except`
 * asks for its judgement in the highest of these blocks, and does not count. Others that wait there for their judgement
 * do not count either, or they would wait for one another.
 */
export async function isGaplessBelow(
  readModels: Lists,
  chain: OfInstance,
  height: number,
  slot: string | null,
  except?: string,
): Promise<boolean> {
  if ((await ownHoles(readModels, chain, { below: height })).length > 0) return false;
  if (slot === null) return true;
  const equals = { mode: chain.mode, slot, status: 'open' };
  const limit = except === undefined ? 1 : DEFERRED_LIMIT;
  const onSlot = { index: 'by_slot', equals, limit, range: { to: height - 1 } };
  const deferred = await readModels.list(deferredTransfersReadModel, onSlot);
  const isBeside = ({ id, body }: Deferred): boolean =>
    id === except || (except !== undefined && body.block_number === height - 1 && isToBeJudged(body));
  return deferred.every(isBeside);
}

/** A transfer that waits for its judgement lies on the slot of another amount than its own. */
function isToBeJudged({ network_id, to, token_id, value_base_units, slot }: DeferredTransferDocument): boolean {
  const own = slotOfAmount(TOKENS[token_id], BigInt(value_base_units));
  return own === null || slot !== amountSlotId(network_id, to, token_id, own);
}

function queryOf({ mode, network }: OfNetwork, limit: number, { block, below, after }: Page<Hole | Deferred>) {
  const equals = { mode, network_id: network, status: 'open', ...(block !== undefined && { block_number: block }) };
  const last = after && { block_number: after.body.block_number, id: after.id };
  const range = below === undefined ? null : { to: below - 1 };
  return { index: 'by_block', equals, limit, ...(range && { range }), ...(last && { after: last }) };
}
