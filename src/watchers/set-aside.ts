import type { DomainEvent } from '../kernel/event';
import type { EventStore } from '../kernel/ports/event-store';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import { JudgementWaits } from '../processes/matching/judgement-waits';
import type { SystemCommands } from '../kernel/system-commands';
import type { Aggregate, WritePath } from '../kernel/write-path';
import {
  coverageHoleId,
  coverageHoles,
  holdsBlock,
  type CoverageHole,
} from '../modules/coverage/coverage-hole.decider';
import type { CoverageHoleOpened, CoverageHoleShortened } from '../modules/coverage/coverage-hole.events';
import {
  deferredTransferId,
  deferredTransfers,
  type DeferredTransfer,
} from '../modules/coverage/deferred-transfer.decider';
import type { TransferDeferred } from '../modules/coverage/deferred-transfer.events';
import { deferredTransfersReadModel } from '../modules/coverage/deferred-transfers.read-model';
import {
  DEFERRED_LIMIT,
  HOLES_LIMIT,
  isGaplessBelow,
  listOpenDeferrals,
  listOpenHoles,
  ownHoles,
  type Deferred,
  type Hole,
  type OfInstance,
  type Page,
} from './set-aside-lists';
import { setAsideInLog } from './set-aside-log';

/** Blocks of one hole: one reading takes as many. */
const HOLE_BLOCKS_LIMIT = 10_000;
/** Events of one hole, which grows as coverage goes on. */
const HOLE_EVENTS_LIMIT = 1_000;
/** A hole with so many events is shortened no more: its last event has room below the limit of a stream. */
const SHORTENED_EVENTS_LIMIT = 3_000;
/** With so many holes open, one of them also takes up a fault a little further on, and all blocks between the two. */
const CROWDED_HOLES = 32;
const NEAR_BLOCKS = 100;
/**
 * Deferred transfers of one amount slot, and to one address: anybody can send as many. Further transfers lie in the
 * queue.
 */
const DEFERRED_ON_SLOT_LIMIT = 100;
const DEFERRED_TO_ADDRESS_LIMIT = 300;

/** Too much is set aside already: the blocks that would add to it are read when there is room again. */
export class SetAsideFull extends Error {
  constructor(what: string, limit: number) {
    super(`${limit} ${what} are set aside`);
    this.name = 'SetAsideFull';
  }
}

/** A block or a transfer before a moment is not known yet, so nothing can be concluded from its absence. */
class NotGapless extends Error {
  constructor() {
    super('blocks or transfers before this one are set aside');
    this.name = 'NotGapless';
  }
}

type Blocks = Pick<CoverageHoleOpened['data'], 'block_number' | 'to_number'>;
type Extent = Blocks & Pick<CoverageHoleOpened['data'], 'block_hash'>;
export type DeferredPlace = Pick<TransferDeferred['data'], 'tx_hash' | 'ordinal' | 'block_hash'>;
type DeferredFacts = Omit<TransferDeferred['data'], 'network_id' | 'instance'>;

type SetAsideParts = OfInstance & {
  readonly store: EventStore;
  readonly writes: WritePath;
  readonly commands: SystemCommands;
  readonly readModels: ReadModels;
  readonly log: Log;
};

function covers(hole: Blocks, { block_number, to_number }: Blocks): boolean {
  return hole.block_number <= block_number && hole.to_number >= to_number;
}

/**
 * The blocks and transfers of one network that coverage passes unread. Each has its event, and the sweeper can find it,
 * before coverage passes it.
 */
export class SetAside {
  private readonly commands: SystemCommands;

  constructor(private readonly parts: SetAsideParts) {
    this.commands = parts.commands.of('coverage');
  }

  /**
   * Throws SetAsideFull. A block that an administrator has given up stays closed. A new hole becomes part of the one
   * before it where that one has room.
   */
  async openHole(facts: Omit<CoverageHoleOpened['data'], 'network_id' | 'instance'>): Promise<void> {
    const { mode, network, instance, log } = this.parts;
    const hole = { ...facts, network_id: network, instance };
    const id = coverageHoleId(hole);
    const command = { type: 'open', hole } as const;
    if (await this.isCoveredByAnother(id, hole)) return;
    const { state, events } = await this.commands.execute(coverageHoles, id, () => ({ command, actor: 'watcher' }), {
      mode,
      cause: null,
      find: ({ state: known }) => this.requireRoomFor(hole, known),
    });
    if (events.length > 0)
      log.error({ mode, hole: id, reason: hole.reason, tx_hash: hole.tx_hash }, 'a block cannot be read: set aside');
    if (state.status === 'open') await this.findHole(id, hole);
  }

  /** An open hole may grow, and a block that is held already needs no room. */
  private async requireRoomFor(hole: Extent, known: CoverageHole): Promise<void> {
    if (known.status === 'open' || holdsBlock(known, hole.block_number)) return;
    const isFull = (await this.holes(HOLES_LIMIT)).length >= HOLES_LIMIT;
    if (isFull) throw new SetAsideFull('blocks', HOLES_LIMIT);
  }

  /**
   * True where a hole of lower blocks takes the blocks up. No hole does while the blocks' own hole, of the id `ownId`,
   * holds them. A hole of several blocks goes by their numbers: it is read as the chain stands then.
   */
  private async isCoveredByAnother(ownId: string, hole: Extent): Promise<boolean> {
    const { mode, instance } = this.parts;
    const open = await this.holes(HOLES_LIMIT);
    const reach = open.length >= CROWDED_HOLES ? NEAR_BLOCKS : 1;
    const { to_number, block_hash } = hole;
    for (const { id, body } of open) {
      const { block_number: from, to_number: end } = body;
      if (body.instance !== instance || hole.block_number < from || hole.block_number > end + reach) continue;
      if (to_number - from >= HOLE_BLOCKS_LIMIT || (to_number <= end && from === end)) continue;
      const extend = { type: 'extend', end: { to_number, block_hash } } as const;
      const { state } = await this.commands.execute(
        coverageHoles,
        id,
        ({ history }, { state: own }) =>
          history.length < HOLE_EVENTS_LIMIT && !holdsBlock(own, hole.block_number)
            ? { command: extend, actor: 'watcher' }
            : null,
        { mode, cause: null, find: () => this.commands.read(coverageHoles, mode, ownId) },
      );
      // The loop that tries holes again may have ended or shortened it meanwhile.
      if (state.status !== 'open' || !covers(state.hole, hole)) continue;
      await this.findHole(id, hole);
      return true;
    }
    return false;
  }

  /**
   * Whether a new deferral would be one too many of its slot, or of its address. The network's limit counts too where
   * the transfer only waits for a place that is set aside before it, or for its judgement. Strangers can make such
   * transfers, and scanning must not wait for them.
   */
  async isCrowded(facts: DeferredFacts, fault: unknown): Promise<boolean> {
    const { mode, network, readModels } = this.parts;
    const { state } = await this.commands.read(deferredTransfers, mode, this.deferralId(facts));
    if (state.status === 'open') return false;
    const list = async (index: string, place: Readonly<Record<string, string>>, limit: number): Promise<boolean> => {
      const query = { index, equals: { mode, ...place, status: 'open' }, limit };
      return (await readModels.list(deferredTransfersReadModel, query)).length >= limit;
    };
    const { slot, to } = facts;
    if (slot !== null && (await list('by_slot', { slot }, DEFERRED_ON_SLOT_LIMIT))) return true;
    if (await list('by_address', { network_id: network, to }, DEFERRED_TO_ADDRESS_LIMIT)) return true;
    const onlyWaits = fault instanceof NotGapless || fault instanceof JudgementWaits;
    return onlyWaits && (await list('by_block', { network_id: network }, DEFERRED_LIMIT));
  }

  /** Throws SetAsideFull. A transfer that an administrator has given up is deferred no more. */
  async defer(facts: DeferredFacts, err: unknown): Promise<void> {
    const { mode, network, instance, log } = this.parts;
    const transfer = { ...facts, network_id: network, instance };
    const id = this.deferralId(facts);
    const command = { type: 'defer', transfer } as const;
    const isWaiting = ({ status }: DeferredTransfer) => status !== 'open' && status !== 'given_up';
    const { state, events } = await this.commands.execute(
      deferredTransfers,
      id,
      ({ state: known }) => (isWaiting(known) ? { command, actor: 'watcher' } : null),
      { mode, cause: null, find: async ({ state: known }) => (isWaiting(known) ? this.requireRoom() : undefined) },
    );
    if (events.length > 0)
      log.error({ mode, transfer: id, slot: transfer.slot, err }, 'a transfer met a fault of its own: set aside');
    if (state.status === 'open') await this.findDeferral(id, transfer.block_number);
  }

  private async requireRoom(): Promise<void> {
    const isFull = (await this.deferred(DEFERRED_LIMIT)).length >= DEFERRED_LIMIT;
    if (isFull) throw new SetAsideFull('transfers', DEFERRED_LIMIT);
  }

  /** Open ones, those of the lowest blocks first. */
  holes(limit: number, page: Page<Hole> = {}): Promise<readonly Hole[]> {
    return listOpenHoles(this.parts.readModels, this.parts, limit, page);
  }

  /** All open holes of this instance. */
  ownHoles(): Promise<readonly Hole[]> {
    return ownHoles(this.parts.readModels, this.parts);
  }

  /** Open ones, those of the lowest blocks first. */
  deferred(limit: number, page: Page<Deferred> = {}): Promise<readonly Deferred[]> {
    return listOpenDeferrals(this.parts.readModels, this.parts, limit, page);
  }

  /** The hole stays open where it has other blocks than the looked-at ones from `from` to `to`. */
  async endHole(id: string, type: 'read' | 'drop', from: number, to: number): Promise<void> {
    await this.execute(coverageHoles, id, { type, from, to });
  }

  /**
   * The hole's blocks from `from` up to `start` were read whole, and their transfers have their places. False where
   * the hole does not begin at `from` any more, or has too many events for one more.
   */
  async shortenHole(id: string, from: number, start: CoverageHoleShortened['data']): Promise<boolean> {
    const command = { type: 'shorten', from, start } as const;
    const { events } = await this.commands.execute(
      coverageHoles,
      id,
      ({ history }) => (history.length < SHORTENED_EVENTS_LIMIT ? { command, actor: 'watcher' } : null),
      { mode: this.parts.mode, cause: null },
    );
    return events.length > 0;
  }

  async endDeferral(id: string, type: 'finish' | 'drop'): Promise<void> {
    await this.execute(deferredTransfers, id, { type });
  }

  /**
   * Throws NotGapless where a block below the height, or a transfer on the slot in one of them, is set aside. The same
   * where the scan has not reached the height. The transfer `own`, which asks, does not count.
   */
  async requireGapless(
    { height, isReached }: { readonly height: number; readonly isReached: boolean },
    slot: string | null,
    own?: DeferredPlace,
  ): Promise<void> {
    if (!isReached) throw new NotGapless();
    const ownId = own && this.deferralId(own);
    if (!(await isGaplessBelow(this.parts.readModels, this.parts, height, slot, ownId))) throw new NotGapless();
  }

  /**
   * Where the documents were lost, the log tells which places are set aside. All these places must be found before
   * coverage goes on.
   */
  async restore(): Promise<void> {
    const { store, mode, network } = this.parts;
    const { holes, deferredIn } = await setAsideInLog(store, mode, network);
    for (const [id, hole] of holes) await this.findHole(id, hole);
    for (const [id, block] of deferredIn) await this.findDeferral(id, block);
  }

  /** Waits until the documents show that the hole holds these blocks. */
  private async findHole(id: string, blocks: Blocks): Promise<void> {
    const isFound = async (): Promise<boolean> =>
      (await this.holes(HOLES_LIMIT)).some(found => found.id === id && covers(found.body, blocks));
    await this.parts.writes.assertFound(coverageHoles, this.parts.mode, id, isFound);
  }

  private async findDeferral(id: string, block: number): Promise<void> {
    const isFound = async (): Promise<boolean> =>
      (await this.deferred(DEFERRED_LIMIT, { block })).some(found => found.id === id);
    await this.parts.writes.assertFound(deferredTransfers, this.parts.mode, id, isFound);
  }

  private deferralId(facts: DeferredPlace): string {
    return deferredTransferId({ ...facts, network_id: this.parts.network });
  }

  private async execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
  ): Promise<void> {
    const { mode } = this.parts;
    await this.commands.execute(aggregate, id, () => ({ command, actor: 'watcher' }), { mode, cause: null });
  }
}
