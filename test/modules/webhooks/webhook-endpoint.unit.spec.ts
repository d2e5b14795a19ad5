import { isoTime } from '../../../src/kernel/clock';
import {
  activeSecrets,
  ENDPOINT_CHANGES_LIMIT,
  MAX_ACTIVE_SECRETS,
  SECRET_OVERLAP_MS,
  webhookEndpoints,
} from '../../../src/modules/webhooks/webhook-endpoint.decider';
import type { SigningSecretRolled, WebhookEndpointEvent } from '../../../src/modules/webhooks/webhook-endpoint.events';
import type { WebhookUrl } from '../../../src/modules/webhooks/webhook-url';
import { given } from '../../support/given-when-then';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const CONTEXT = { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now: NOW } as const;
const URL_1 = 'https://one.example/' as WebhookUrl;
const URL_2 = 'https://two.example/' as WebhookUrl;

const created: WebhookEndpointEvent = {
  type: 'WebhookEndpointCreated',
  data: {
    url: URL_1,
    description: null,
    enabled_events: ['payment.confirmed'],
    api_version: '2026-11-01',
    secret_id: 'ws_1',
    sealed_secret: 'sealed 1',
  },
};
const disabled: WebhookEndpointEvent = { type: 'WebhookEndpointDisabled', data: { reason: 'sustained_failure' } };

function rolled(number: number, atMs = NOW): SigningSecretRolled {
  const overlapEndsAt = isoTime(atMs + SECRET_OVERLAP_MS);
  return {
    type: 'SigningSecretRolled',
    data: { secret_id: `ws_${number}`, sealed_secret: `sealed ${number}`, overlap_ends_at: overlapEndsAt },
  };
}

function create(enabledEvents: readonly string[], description: string | null = null) {
  return {
    type: 'create',
    url: URL_1,
    description,
    enabledEvents,
    apiVersion: '2026-11-01',
    secret: { id: 'ws_1', sealed: 'sealed 1' },
  } as const;
}

const change = (changes: object) => ({ type: 'change', changes }) as const;

describe('a webhook endpoint', () => {
  it('is created with its secret sealed and the version of the day', () => {
    given(webhookEndpoints, [])
      .when(create(['payment.confirmed']), CONTEXT)
      .then([created]);
  });

  it.each([[['*']], [['refund.created', 'payment.failed']]])('takes %j', types => {
    given(webhookEndpoints, [])
      .when(create(types), CONTEXT)
      .then([{ ...created, data: { ...created.data, enabled_events: types } } as WebhookEndpointEvent]);
  });

  it('keeps a type that is named twice once', () => {
    given(webhookEndpoints, [])
      .when(create(['payment.confirmed', 'payment.confirmed']), CONTEXT)
      .then([created]);
  });

  it.each([[[]], [['*', 'payment.confirmed']], [['payment.awaiting_payment']], [['']]])('refuses %j', types => {
    given(webhookEndpoints, []).when(create(types), CONTEXT).thenRefused('parameter_invalid');
  });

  it.each(['x'.repeat(501), 'a\u0000b'])('refuses the description %.10j', description => {
    given(webhookEndpoints, [])
      .when(create(['*'], description), CONTEXT)
      .thenRefused('parameter_invalid');
  });

  it('changes what is another thing than before, one fact each', () => {
    const changes = { url: URL_2, description: 'shop', enabledEvents: ['*'], status: 'disabled' };
    given(webhookEndpoints, [created])
      .when(change(changes), CONTEXT)
      .then([
        { type: 'WebhookEndpointMoved', data: { url: URL_2 } },
        { type: 'WebhookEndpointDescribed', data: { description: 'shop' } },
        { type: 'WebhookEndpointSubscribed', data: { enabled_events: ['*'] } },
        { type: 'WebhookEndpointDisabled', data: { reason: 'disabled_by_merchant' } },
      ]);
    const same = { url: URL_1, description: null, enabledEvents: ['payment.confirmed'], status: 'enabled' };
    given(webhookEndpoints, [created]).when(change(same), CONTEXT).then([]);
    given(webhookEndpoints, [created]).when(change({}), CONTEXT).then([]);
    given(webhookEndpoints, [created])
      .when(change({ enabledEvents: ['no'] }), CONTEXT)
      .thenRefused('parameter_invalid');
  });

  it('is disabled once, and enabled again', () => {
    const disable = { type: 'disable', reason: 'sustained_failure' } as const;
    given(webhookEndpoints, [created]).when(disable, CONTEXT).then([disabled]);
    given(webhookEndpoints, [created, disabled]).when(disable, CONTEXT).then([]);
    given(webhookEndpoints, [created, disabled])
      .when(change({ status: 'enabled' }), CONTEXT)
      .then([{ type: 'WebhookEndpointEnabled', data: {} }]);
  });

  it.each([
    change({}),
    { type: 'roll_secret', secret: { id: 'ws_2', sealed: '' } },
    { type: 'disable', reason: 'sustained_failure' },
  ] as const)('is unknown to $type before it is created', command => {
    given(webhookEndpoints, []).when(command, CONTEXT).thenRefused('unknown_endpoint');
  });

  it('signs with both secrets for 24 hours after a roll, to the millisecond', () => {
    given(webhookEndpoints, [created])
      .when({ type: 'roll_secret', secret: { id: 'ws_2', sealed: 'sealed 2' } }, CONTEXT)
      .then([rolled(2)]);
    const { state } = given(webhookEndpoints, [created, rolled(2)]);
    if (state.status === 'none') throw new Error('it was created');
    const idsAt = (atMs: number) => activeSecrets(state.secrets, atMs).map(({ id }) => id);
    expect(idsAt(NOW)).toEqual(['ws_2', 'ws_1']);
    expect(idsAt(NOW + SECRET_OVERLAP_MS - 1)).toEqual(['ws_2', 'ws_1']);
    expect(idsAt(NOW + SECRET_OVERLAP_MS)).toEqual(['ws_2']);
  });

  it('does not lengthen by a further roll what was to end', () => {
    const laterMs = NOW + SECRET_OVERLAP_MS / 2;
    const { state } = given(webhookEndpoints, [created, rolled(2), rolled(3, laterMs)]);
    if (state.status === 'none') throw new Error('it was created');
    expect(state.secrets.map(({ id, expiresAt }) => [id, expiresAt])).toEqual([
      ['ws_3', null],
      ['ws_2', isoTime(laterMs + SECRET_OVERLAP_MS)],
      ['ws_1', isoTime(NOW + SECRET_OVERLAP_MS)],
    ]);
  });

  it('bounds the secrets that sign at once', () => {
    const rolls = Array.from({ length: MAX_ACTIVE_SECRETS - 1 }, (_, index) => rolled(index + 2));
    const roll = { type: 'roll_secret', secret: { id: 'ws_9', sealed: 'sealed 9' } } as const;
    given(webhookEndpoints, [created, ...rolls])
      .when(roll, CONTEXT)
      .thenRefused('invalid_state_transition');
    const later = NOW + SECRET_OVERLAP_MS;
    given(webhookEndpoints, [created, ...rolls])
      .when(roll, { ...CONTEXT, now: later })
      .then([rolled(9, later)]);
  });

  it('is changed so often and no more, whoever changed it; the service may still disable it', () => {
    const described = (description: string | null): WebhookEndpointEvent => ({
      type: 'WebhookEndpointDescribed',
      data: { description },
    });
    const history = Array.from({ length: ENDPOINT_CHANGES_LIMIT - 1 }, (_, index) => described(index % 2 ? 'b' : 'a'));
    const before = given(webhookEndpoints, [created, ...history]);
    before.when(change({ description: 'c' }), CONTEXT).then([described('c')]);
    before.when(change({ description: 'c', url: URL_2 }), CONTEXT).thenRefused('invalid_state_transition');
    const full = given(webhookEndpoints, [created, ...history, described('c')]);
    full.when(change({ description: 'd' }), CONTEXT).thenRefused('invalid_state_transition');
    full.when(change({ description: 'c' }), CONTEXT).then([]);
    full
      .when({ type: 'roll_secret', secret: { id: 'ws_9', sealed: 'sealed 9' } }, CONTEXT)
      .thenRefused('invalid_state_transition');
    full.when({ type: 'disable', reason: 'sustained_failure' }, CONTEXT).then([disabled]);
  });
});
