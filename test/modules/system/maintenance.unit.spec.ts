import { maintenance } from '../../../src/modules/system/maintenance.decider';
import type { MaintenanceEvent } from '../../../src/modules/system/maintenance.events';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'user', id: 'adm_1' }, now: 0 } as const;
const replay = { type: 'replay', group: 'webhooks', messages: 2, reason: ' The shop is back. ' } as const;
const rebuild = { type: 'rebuild', readModel: 'payment_intents', reason: ' A new field. ' } as const;
const REPLAYED: MaintenanceEvent = {
  type: 'ParkedMessagesReplayed',
  data: { group: 'webhooks', messages: 2, reason: 'The shop is back.' },
};
const REBUILT: MaintenanceEvent = {
  type: 'ReadModelRebuilt',
  data: { read_model: 'payment_intents', reason: 'A new field.' },
};

describe('maintenance', () => {
  it('replays parked messages as often as there are any', () => {
    given(maintenance, []).when(replay, CONTEXT).then([REPLAYED]);
    const further = { ...replay, messages: 1 };
    given(maintenance, [REPLAYED])
      .when(further, CONTEXT)
      .then([{ ...REPLAYED, data: { ...REPLAYED.data, messages: 1 } }]);
  });

  it('replays nothing where nothing is parked', () => {
    given(maintenance, [])
      .when({ ...replay, messages: 0 }, CONTEXT)
      .thenRefused('invalid_state_transition');
  });

  it('rebuilds a read model', () => {
    given(maintenance, []).when(rebuild, CONTEXT).then([REBUILT]);
  });

  it.each([{ ...replay, messages: 0 }, rebuild])('needs a reason first: %j', command => {
    for (const reason of [' \n', 'x'.repeat(501)])
      given(maintenance, [])
        .when({ ...command, reason }, CONTEXT)
        .thenRefused('invalid_reason', 'reason');
  });
});
