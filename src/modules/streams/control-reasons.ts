import type { GeoBlockEvent } from '../controls/geo-block.events';
import type { SanctionedAddressEvent } from '../controls/sanctioned-address.events';
import type { ScreeningSettingsEvent } from '../controls/screening-settings.events';
import type { VelocityLimitEvent } from '../controls/velocity-limit.events';
import type { MaintenanceEvent } from '../system/maintenance.events';
import { quoted, spoken, type Reasons } from './reason-words';

export const VELOCITY_REASONS: Reasons<VelocityLimitEvent> = {
  VelocityLimitSet: ({ subject, window_ms, max_count, max_amount_usd_minor_units }) =>
    `Each ${spoken(subject)} takes part in at most ${max_count} payments within ${window_ms} ms, ` +
    `of ${max_amount_usd_minor_units} US cents together.`,
  VelocityLimitLifted: ({ subject, reason }) =>
    `An administrator lifted the limit of each ${spoken(subject)}: ${quoted(reason)}.`,
};

export const GEO_REASONS: Reasons<GeoBlockEvent> = {
  CountriesBlocked: ({ blocked_countries: countries }) =>
    countries.length === 0
      ? 'Customers of every country may begin payments.'
      : `Customers in ${countries.join(', ')} begin no payment.`,
};

export const SCREENING_REASONS: Reasons<ScreeningSettingsEvent> = {
  ScreeningTimeoutSet: ({ timeout_ms: timeoutMs }) => `A source of screenings has ${timeoutMs} ms to answer.`,
};

export const SANCTIONS_REASONS: Reasons<SanctionedAddressEvent> = {
  SanctionsEntryAdded: ({ network, list_source: source, address, reference }) =>
    `Payments from ${address} on ${network} are held: ${source} names the address as ${quoted(reference)}.`,
  SanctionsEntryRemoved: ({ network, list_source: source, reason }) =>
    `The entry of ${source} on ${network} holds no payment any more: ${quoted(reason)}.`,
};

export const MAINTENANCE_REASONS: Reasons<MaintenanceEvent> = {
  ParkedMessagesReplayed: ({ group, messages, reason }) =>
    `An operator had ${messages} parked messages of ${group} tried anew: ${quoted(reason)}.`,
  ReadModelRebuilt: ({ read_model: readModel, reason }) =>
    `An operator had ${readModel} built anew from the log: ${quoted(reason)}.`,
};
