import type { AlarmedNetwork } from '../../kernel/ports/readiness';
import type { ProviderStanding } from '../../kernel/ports/provider-standing';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkAlarm } from '../../vocabulary/network-alarm';
import type { NetworkId } from '../../vocabulary/networks';
import type { GridHeadroom } from '../amount-slots/tightest-price';
import type { SourceHealth } from '../quotes/rate-book';
import type { GroupName } from './group-names';

/** A check of `/readyz`, with the reason that the public page withholds. */
export type CheckView = {
  readonly check: string;
  readonly state: 'ok' | 'degraded' | 'unavailable';
  readonly reason: string | null;
  readonly alarms: readonly AlarmedNetwork[];
};

type HoleView = {
  readonly hole: string;
  readonly block_number: number;
  readonly to_number: number;
  readonly block_hash: string;
  readonly block_time: string;
  readonly reason: string;
  readonly tx_hash: string | null;
  readonly opened_at: string;
};

type DeferredView = {
  readonly transfer: string;
  readonly block_number: number;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly to: string;
  readonly value_base_units: string;
  readonly fault: string;
  readonly deferred_at: string;
};

/** How far a network is read. A network that nobody has watched yet has no `coverage`. */
export type NetworkView = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly alarm: NetworkAlarm | null;
  /** As this process knows them: the process that watches asks them most. */
  readonly providers: readonly ProviderStanding[];
  readonly coverage: {
    readonly instance: string;
    readonly cursor: number;
    readonly sealed_to: number;
    readonly head: number;
    readonly head_told_at: string;
    readonly head_age_ms: number;
    readonly lag_blocks: number;
    readonly lag_ms: number;
    readonly is_behind: boolean;
    readonly is_waiting: boolean;
    readonly holes: readonly HoleView[];
    readonly deferred: readonly DeferredView[];
  } | null;
};

/** The whole recorded history of a network's coverage: one stream is read for each range. */
export type CoverageHistoryView = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly instance: string;
  /** The hosts of all providers that were ever asked. */
  readonly providers: readonly string[];
  readonly ranges: number;
  readonly from_number: number;
  readonly sealed_to: number;
  readonly gaps: readonly { readonly kind: string; readonly from_number: number; readonly to_number: number }[];
};

type WholeNetworkView = {
  /** Null where the service does not serve the mode. */
  readonly view: NetworkView | null;
  /** Null where nobody has watched the network in this mode. */
  readonly history: CoverageHistoryView | null;
};

export type ReadModelView = {
  readonly read_model: string;
  readonly state: string;
  readonly is_at_fault: boolean;
  readonly version: number;
  readonly stored_version: number | null;
  /** The age of the oldest event that the read model takes and has not got; null where the log did not tell in time. */
  readonly lag_ms: number | null;
  readonly events_per_second: number;
  readonly error: string | null;
  readonly updated_at: string | null;
  /** The build under way, in whichever process; `reached_at` is the time of the last event that was folded. */
  readonly rebuild: { readonly begun_at: string; readonly reached_at: string | null } | null;
};

export type GroupView = {
  readonly group: GroupName;
  readonly parked: number;
  /** The age of the oldest event that the group has not handled; null where the log did not tell in time. */
  readonly lag_ms: number | null;
};

export type ParkedMessageView = {
  readonly event: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly recorded_at: string;
};

/** Mail on its way out. The view never tells whom a mail goes to. */
export type OutboxView = {
  readonly outbox: 'notices' | 'customers';
  readonly queued: number;
  /** More are queued than were counted. */
  readonly has_more: boolean;
  readonly oldest_created_at: string | null;
  readonly next_attempt_at: string | null;
  readonly failing: number;
  readonly given_up: number;
  /** The mail server's newest answer to a failed attempt. */
  readonly last_detail: string | null;
};

export type LimitView = {
  readonly limit: string;
  readonly value: number;
  readonly unit: string;
  readonly set_by: 'configuration' | 'code';
};

export type HeadroomView = GridHeadroom & { readonly mode: Mode };

export type RatesView = SourceHealth & { readonly mode: Mode };

/** The state of the service as operators see it: what readiness, the command line and the engines know already. */
export abstract class SystemReads {
  abstract health(): Promise<readonly CheckView[]>;
  abstract coverage(): Promise<readonly NetworkView[]>;
  abstract network(mode: Mode, network: NetworkId): Promise<WholeNetworkView>;
  abstract readModels(): Promise<readonly ReadModelView[]>;
  abstract groups(): Promise<readonly GroupView[]>;
  abstract parked(group: GroupName): Promise<readonly ParkedMessageView[]>;
  abstract outbox(): Promise<readonly OutboxView[]>;
  abstract limits(): readonly LimitView[];
  /** The tightest first. */
  abstract headroom(mode: Mode): Promise<readonly HeadroomView[]>;
  abstract rates(): readonly RatesView[];
}
