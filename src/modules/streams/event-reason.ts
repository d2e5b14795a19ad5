import { parseStreamName, type Actor, type ActorRole, type RecordedEvent } from '../../kernel/event';
import { TOKEN_IDS, type TokenId } from '../../vocabulary/tokens';
import { auditRule } from '../audit/audit-rules';
import { COVERAGE_REASONS, DEFERRAL_REASONS, HOLE_REASONS } from './chain-reasons';
import {
  GEO_REASONS,
  MAINTENANCE_REASONS,
  SANCTIONS_REASONS,
  SCREENING_REASONS,
  VELOCITY_REASONS,
} from './control-reasons';
import { APPROVAL_REASONS, KILL_SWITCH_REASONS, KYB_REASONS } from './operator-reasons';
import { PAYMENT_REASONS, SLOT_REASONS } from './payment-reasons';
import { NAMING_REASONS, TRANSFER_REASONS } from './transfer-reasons';
import { DELIVERY_REASONS, ENDPOINT_REASONS } from './webhook-reasons';
import { quoted, spoken, type Units } from './reason-words';

/** The categories whose events have reasons of their own. Events of others are told by their action and their note. */
const REASONS = {
  amount_slot: SLOT_REASONS,
  approval: APPROVAL_REASONS,
  coverage: COVERAGE_REASONS,
  coverage_hole: HOLE_REASONS,
  deferred_transfer: DEFERRAL_REASONS,
  geo_block: GEO_REASONS,
  kill_switch: KILL_SWITCH_REASONS,
  kyb_case: KYB_REASONS,
  maintenance: MAINTENANCE_REASONS,
  naming: NAMING_REASONS,
  payment_intent: PAYMENT_REASONS,
  sanctioned_address: SANCTIONS_REASONS,
  screening_settings: SCREENING_REASONS,
  transfer: TRANSFER_REASONS,
  velocity_limit: VELOCITY_REASONS,
  webhook_delivery: DELIVERY_REASONS,
  webhook_endpoint: ENDPOINT_REASONS,
} as const;

type Reason = (data: RecordedEvent['data'], units: Units) => string;

const ACTORS: Readonly<Record<ActorRole, string>> = {
  api: 'an API key',
  checkout: 'a customer at checkout',
  matcher: 'matching',
  watcher: 'the watcher',
  sweeper: 'the clock',
  merchant: 'a person of the merchant',
  admin: 'an administrator',
  compliance: 'compliance',
};

/** Why the event came about, in words, from the evidence in the event. */
export function eventReason(event: RecordedEvent, units: Units): string {
  const { category } = parseStreamName(event.stream);
  const reasons = Object.hasOwn(REASONS, category) ? (REASONS[category as keyof typeof REASONS] as object) : {};
  const reason = Object.hasOwn(reasons, event.type) ? (reasons as Record<string, Reason>)[event.type] : undefined;
  return reason ? reason(event.data, units) : byAction(event);
}

/** The units of a stream's amounts, as its events tell them, or its name. */
export function unitsOf(stream: string, events: readonly RecordedEvent[]): Units {
  const told = events.find(({ data }) => isTokenId(data.token_id))?.data.token_id as TokenId | undefined;
  const priced = events.find(({ data }) => typeof data.currency === 'string')?.data;
  return {
    tokenId: told ?? TOKEN_IDS.find(id => stream.includes(id)) ?? null,
    currency: priced ? { code: String(priced.currency), decimals: Number(priced.currency_decimals ?? 0) } : null,
  };
}

/** The system's own parts are known by their role; others by their id too, and so is who ran the command line. */
export function actorWords({ role, type, id }: Actor): string {
  return type === 'system' && !id.startsWith('cli:') ? ACTORS[role] : `${ACTORS[role]} (${id})`;
}

function byAction(event: RecordedEvent): string {
  const action = auditRule(event)?.action ?? event.type;
  const [noun = '', verb = ''] = action.split('.');
  const { reason, note } = event.data;
  const said = [reason, note].find(text => typeof text === 'string' && text !== '');
  const words = verb === '' ? noun : `${spoken(verb)}, on a ${spoken(noun)}`;
  return `The log says: ${words}, by ${actorWords(event.metadata.actor)}.${said ? ` Given as ${quoted(String(said))}.` : ''}`;
}

function isTokenId(value: unknown): value is TokenId {
  return (TOKEN_IDS as readonly unknown[]).includes(value);
}
