import { MAX_DELIVERIES, WAITING_MESSAGES_LIMIT } from '../kernel/ports/event-store';
import { TRANSFERS_LIMIT } from '../modules/payment-intents/payment-intent.transfers';
import type { LimitView } from '../modules/system/system-reads';
import { MAX_ATTEMPTS, MAX_REDELIVERIES } from '../modules/webhooks/webhook-delivery.decider';
import type { Config } from '../platform/config/config';
import { CONNECTIONS_BY_ADDRESS_LIMIT } from '../platform/http/connection-limit';
import { ratesByRule } from '../platform/rate-limits/rate-limits';
import { DEFERRED_LIMIT, HOLES_LIMIT } from '../watchers/set-aside-lists';

/** The limits of the whole service. A merchant’s own limits stand with the merchant. */
export function limitsInForce({ rateLimits }: Pick<Config, 'rateLimits'>): readonly LimitView[] {
  const rates = rateLimits === null ? [] : Object.entries(ratesByRule(rateLimits));
  return [
    ...rates.map(([rule, value]) => configured(`requests.${rule}`, value)),
    fixed('connections_of_an_address', CONNECTIONS_BY_ADDRESS_LIMIT, 'connections'),
    fixed('transfers_of_a_payment', TRANSFERS_LIMIT, 'transfers'),
    fixed('attempts_of_a_delivery', MAX_ATTEMPTS, 'attempts'),
    fixed('redeliveries_of_a_delivery', MAX_REDELIVERIES, 'attempts'),
    fixed('tries_of_a_message', MAX_DELIVERIES, 'tries'),
    fixed('waiting_messages_of_a_group', WAITING_MESSAGES_LIMIT, 'messages'),
    fixed('open_holes_of_a_network', HOLES_LIMIT, 'holes'),
    fixed('deferred_transfers_of_a_network', DEFERRED_LIMIT, 'transfers'),
  ];
}

function configured(limit: string, value: number): LimitView {
  return { limit, value, unit: 'a second', set_by: 'configuration' };
}

function fixed(limit: string, value: number, unit: string): LimitView {
  return { limit, value, unit, set_by: 'code' };
}
