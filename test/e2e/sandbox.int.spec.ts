import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';

const LIMIT_MS = 60_000;
/** The other networks' providers are away, which a service must bear; Base gets a local chain. */
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };
const QUOTE_MS = 15 * 60_000;

let service: ServiceInProcess;
let shop: SandboxShop;
let neighbour: SandboxShop;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  shop = await SandboxShop.openOnEvm(service, 'Corner Shop', 5);
  neighbour = await SandboxShop.openOnEvm(service, 'Neighbour', 6);
}, LIMIT_MS);

afterAll(() => service?.stop(), LIMIT_MS);

function expectBetween(timeMs: number, fromMs: number, toMs: number): void {
  expect(timeMs).toBeGreaterThanOrEqual(fromMs);
  expect(timeMs).toBeLessThanOrEqual(toMs);
}

describe('the clock of a merchant in test mode', () => {
  it(
    'is moved for that merchant alone, and what fell due has happened when the call is answered',
    async () => {
      const [mine, theirs] = [await shop.quote(), await neighbour.quote()];
      const startMs = Date.now();
      const clock = await shop.done('POST /v1/sandbox/clock', { advance_ms: QUOTE_MS });
      expect(clock).toMatchObject({ object: 'sandbox_clock', mode: 'test', advanced_ms: QUOTE_MS });
      expectBetween(Date.parse(clock.now) - QUOTE_MS, startMs, Date.now());
      expect(await shop.status(mine)).toBe('expired');
      expect(await neighbour.status(theirs)).toBe('awaiting_payment');
      expectBetween(await neighbour.nowMs(), startMs, Date.now());
      const later = new Date(Date.parse(clock.now) + QUOTE_MS).toISOString();
      expect(Date.parse((await shop.done('POST /v1/sandbox/clock', { now: later })).now)).toBeGreaterThanOrEqual(
        Date.parse(later),
      );
    },
    LIMIT_MS,
  );

  it('dates what is recorded, while the wall dates its recording', async () => {
    const startMs = await shop.nowMs();
    const payment = await shop.create();
    expectBetween(Date.parse(payment.created), startMs, await shop.nowMs());
  });

  it('refuses to go back, and what is no time', async () => {
    const refused = async (body: object): Promise<string> => {
      return (await shop.ask('POST /v1/sandbox/clock', body)).body.error.code;
    };
    expect(await refused({ now: new Date().toISOString() })).toBe('invalid_advance');
    expect(await refused({ advance_ms: -1 })).toBe('invalid_advance');
    expect(await refused({ advance_ms: 1e15 })).toBe('invalid_advance');
    expect(await refused({ advance_ms: 0.5 })).toBe('invalid_duration');
    expect(await refused({ now: '2027-02-30T00:00:00Z' })).toBe('invalid_now');
    expect(await refused({ now: 'tomorrow' })).toBe('invalid_now');
    expect(await refused({})).toBe('parameter_missing');
    expect(await refused({ advance_ms: 1, now: '2030-01-01T00:00:00Z' })).toBe('parameter_invalid');
  });

  it('is moved once by a call that is sent twice under one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-minute-on' };
    const first = await neighbour.ask('POST /v1/sandbox/clock', { advance_ms: 60_000 }, headers);
    const second = await neighbour.ask('POST /v1/sandbox/clock', { advance_ms: 60_000 }, headers);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await neighbour.done('GET /v1/sandbox/clock')).toMatchObject({ advanced_ms: 60_000 });
  });

  it('is none of a live key', async () => {
    for (const line of ['GET /v1/sandbox/clock', 'POST /v1/sandbox/clock', 'POST /v1/sandbox/transfers']) {
      const answer = await service.ask(line, { key: shop.liveKey, ...(line.startsWith('POST') && { body: {} }) });
      expect([answer.status, answer.body.error.code]).toStrictEqual([401, 'invalid_api_key']);
    }
  });

  it(
    'brings the next attempt of a webhook',
    async () => {
      const receiver = await WebhookReceiver.start();
      try {
        const listener = await SandboxShop.register(service, 'Listener');
        const terms = { url: receiver.url, enabled_events: ['*'] };
        const endpoint = await listener.done('POST /v1/webhook_endpoints', terms, true);
        const { id } = await listener.create();
        await eventually('the first attempt is refused', LIMIT_MS, () => receiver.refused > 0 || null);
        receiver.secret = endpoint.secret;
        await eventually('the refusal is recorded', LIMIT_MS, async () => {
          const { data } = await listener.done(`GET /v1/webhook_endpoints/${endpoint.id}/deliveries`);
          return data.length > 0 || null;
        });
        expect(receiver.events).toHaveLength(0);
        await listener.done('POST /v1/sandbox/clock', { advance_ms: 61_000 });
        expect(receiver.events).toMatchObject([{ type: 'payment.created', data: { id } }]);
      } finally {
        await receiver.close();
      }
    },
    LIMIT_MS,
  );
});

describe('a customer of the sandbox', () => {
  it(
    'pays exactly',
    async () => {
      const id = await neighbour.quote();
      const sent = await neighbour.play(id, 'exact');
      const payment = await neighbour.payment(id);
      expect(payment.status).toBe('confirmed');
      expect(sent).toStrictEqual({
        object: 'sandbox_transfer',
        mode: 'test',
        payment_intent: id,
        outcome: 'exact',
        network_id: 'base',
        tx_hash: payment.transfers[0].tx_hash,
        token_amount: payment.payment_method.token_amount,
      });
    },
    LIMIT_MS,
  );

  it(
    'pays short, and then the remainder',
    async () => {
      const id = await shop.quote();
      await shop.play(id, 'short');
      expect(await shop.status(id)).toBe('underpaid');
      await shop.play(id, 'exact');
      expect(await shop.status(id)).toBe('confirmed');
    },
    LIMIT_MS,
  );

  it(
    'pays too much, as told',
    async () => {
      const id = await shop.quote();
      expect(await shop.play(id, 'over', { token_amount: '40.000005' })).toMatchObject({ token_amount: '40.000005' });
      expect(await shop.payment(id)).toMatchObject({ status: 'overpaid' });
    },
    LIMIT_MS,
  );

  it(
    'pays short or too much, and names no payment where told so',
    async () => {
      const amounts = { short: '1.000005', over: '90.000005' };
      for (const outcome of ['short', 'over'] as const) {
        const id = await shop.quote();
        const sent = await shop.play(id, outcome, { claim: false, token_amount: amounts[outcome] });
        expect(await shop.payment(id)).toMatchObject({ status: 'awaiting_payment', transfers: [] });
        const { data } = await shop.done('GET /v1/unmatched_transfers?network_id=base');
        expect(data[0]).toMatchObject({ tx_hash: sent.tx_hash, token_amount: amounts[outcome] });
        await shop.play(id, 'exact');
        expect(await shop.status(id)).toBe('confirmed');
      }
    },
    LIMIT_MS,
  );

  it(
    'pays late, by the clock of the merchant alone',
    async () => {
      const id = await shop.quote();
      const before = await neighbour.done('GET /v1/sandbox/clock');
      await shop.play(id, 'late');
      expect(await shop.status(id)).toBe('paid_late');
      expect(await neighbour.done('GET /v1/sandbox/clock')).toMatchObject({ advanced_ms: before.advanced_ms });
    },
    LIMIT_MS,
  );

  it(
    'pays what is then reorganised away',
    async () => {
      const id = await shop.quote();
      await shop.play(id, 'reorged');
      expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'reorged_out' });
      expect(await shop.events(id)).toContain('transfer_seen');
    },
    LIMIT_MS,
  );

  it(
    'pays what then fails on the chain, and leaves the payments of others alone',
    async () => {
      const [id, other] = [await shop.quote(), await neighbour.quote()];
      const playing = [shop.play(id, 'reverted'), neighbour.play(other, 'exact')];
      await Promise.all(playing);
      expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'reverted' });
      expect(await neighbour.status(other)).toBe('confirmed');
    },
    LIMIT_MS,
  );

  it(
    'pays in another token of that name, which is no payment',
    async () => {
      const id = await shop.quote();
      await shop.play(id, 'wrong_token');
      expect(await shop.payment(id)).toMatchObject({ status: 'awaiting_payment', transfers: [] });
    },
    LIMIT_MS,
  );

  it('cannot pay what has no price yet, what is not there, or an amount that is not meant', async () => {
    const refused = async (body: object): Promise<readonly [number, string]> => {
      const answer = await shop.ask('POST /v1/sandbox/transfers', body);
      return [answer.status, answer.body.error.code];
    };
    const [open, quoted] = [(await shop.create()).id, await shop.quote()];
    const unknown = 'pi_00000000000000000000000000';
    const own = (more: object) => ({ payment_intent: quoted, ...more });
    expect(await refused({ payment_intent: open, outcome: 'exact' })).toStrictEqual([409, 'payment_not_quoted']);
    expect(await refused({ payment_intent: unknown, outcome: 'exact' })).toStrictEqual([404, 'payment_not_found']);
    expect(await refused(own({ outcome: 'stolen' }))).toStrictEqual([400, 'parameter_invalid']);
    expect(await refused(own({ outcome: 'short', claim: 'no' }))).toStrictEqual([400, 'parameter_invalid']);
    expect(await refused(own({ outcome: 'exact', token_amount: '1' }))).toStrictEqual([400, 'parameter_invalid']);
    expect(await refused(own({ outcome: 'short', token_amount: '9000' }))).toStrictEqual([400, 'parameter_invalid']);
    expect(await refused(own({ outcome: 'over', token_amount: '0.5' }))).toStrictEqual([400, 'parameter_invalid']);
    expect(await refused(own({ outcome: 'short', token_amount: '1.0000001' }))).toStrictEqual([
      400,
      'excess_precision',
    ]);
    expect(await refused(own({ outcome: 'short', token_amount: '-1' }))).toStrictEqual([400, 'invalid_amount']);
    const theirs = await neighbour.ask('POST /v1/sandbox/transfers', own({ outcome: 'exact' }));
    expect([theirs.status, theirs.body.error.code]).toStrictEqual([404, 'payment_not_found']);
  });
});
