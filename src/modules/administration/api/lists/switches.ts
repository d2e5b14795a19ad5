import {
  arrayOf,
  constant,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
} from '../../../../platform/http/openapi-schema';
import { KILL_SWITCH_GROUNDS, KILL_SWITCH_SCOPES } from '../../../kill-switches/kill-switch.events';
import { killSwitchesReadModel, type KillSwitchDocument } from '../../../kill-switches/kill-switches.read-model';
import { adminList, byField, byTest } from '../admin-list';
import { ALL_MODES } from '../find-payment';

const KILL_SWITCH = resource('kill_switch', 'A stop of new payments', {
  id: text('Scope and subject', 'network:tron'),
  object: constant('kill_switch'),
  scope: oneOfTexts(KILL_SWITCH_SCOPES),
  subject: text('The id of a merchant, a network, or the symbol of an asset', 'tron'),
  stops: arrayOf(
    record({
      mode: oneOfTexts(ALL_MODES),
      ground: oneOfTexts(KILL_SWITCH_GROUNDS),
      reason: text(),
      set_at: timestamp(),
    }),
  ),
});

export const killSwitches = adminList({
  path: 'kill_switches',
  summary: 'List the stops that stand, by scope and subject',
  item: KILL_SWITCH,
  readModel: killSwitchesReadModel,
  lies: 'above_modes',
  filters: {
    merchant: byTest<KillSwitchDocument>(merchantId => doc => doc.scope === 'merchant' && doc.subject === merchantId),
    mode: byTest<KillSwitchDocument>(
      mode =>
        ({ stops }) =>
          stops.some(stop => stop.mode === mode),
      {
        values: ALL_MODES,
        code: 'invalid_mode',
      },
    ),
    scope: byField<KillSwitchDocument>('scope', { values: KILL_SWITCH_SCOPES }),
  },
  indexes: [{ index: 'by_set', filters: [], fixed: { is_set: true } }],
  order: ['id'],
  ascending: true,
  notFound: 'resource_missing',
  present: ({ id, body: { scope, subject, stops } }) => ({ id, object: 'kill_switch' as const, scope, subject, stops }),
});
