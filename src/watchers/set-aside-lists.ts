import type { Mode } from '../vocabulary/modes';
import type { Document } from '../kernel/ports/documents';
import type { ReadModels } from '../kernel/ports/read-models';
import type { NetworkId } from '../vocabulary/networks';
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
type OfNetwork = { readonly mode: Mode; readonly network: NetworkId };
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
 * does not count.
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
  const onSlot = { index: 'by_slot', equals, limit: 2, range: { to: height - 1 } };
  return (await readModels.list(deferredTransfersReadModel, onSlot)).every(({ id }) => id === except);
}

function queryOf({ mode, network }: OfNetwork, limit: number, { block, below, after }: Page<Hole | Deferred>) {
  const equals = { mode, network_id: network, status: 'open', ...(block !== undefined && { block_number: block }) };
  const last = after && { block_number: after.body.block_number, id: after.id };
  const range = below === undefined ? null : { to: below - 1 };
  return { index: 'by_block', equals, limit, ...(range && { range }), ...(last && { after: last }) };
}
