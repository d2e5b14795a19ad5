import { HOUR_MS, SECOND_MS } from '../../../src/kernel/clock';
import { systemContext } from '../../../src/kernel/command-context';
import { randomUuid } from '../../../src/kernel/entropy';
import { operatorContext } from '../../../src/cli/operator-context';
import { CommandBus } from '@nestjs/cqrs';
import { ResolveUnmatchedTransfer } from '../../../src/modules/transfers/commands/resolve-unmatched-transfer.command';
import { ReopenUnmatchedTransfer } from '../../../src/modules/transfers/commands/reopen-unmatched-transfer.command';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { ERROR_REMEDIES } from '../../../src/platform/docs/error-remedies';
import { MATCHING_CATEGORIES } from '../../../src/processes/matching/matching-group';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { developmentWallet } from '../../support/customer';
import { OpenApiValidation } from '../../support/openapi-validation';
import type { Ask, StagedMerchant } from '../../support/staged-merchant';
import { remedyCall } from '../../support/remedy-call';
import { freshHash, seeTransfer, sendTransfer } from '../../support/unmatched-transfer';

const LIMIT_MS = 60_000;
const CENT = 10_000n;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
/** This merchant has verified the same address. */
let sharer: StagedMerchant;
let stranger: StagedMerchant;
let contract: OpenApiValidation;

const keyOf = (txHash: string) => ({ network: 'base', txHash, ordinal: 0 }) as const;

type Quoted = { readonly id: string; readonly due: bigint; readonly address: string };

beforeAll(async () => {
  stage = await ApiStage.open();
  stage.follow();
  instance = await stage.startInstance();
  [merchant, sharer, stranger] = [
    await stage.register(instance),
    await stage.register(instance),
    await stage.register(instance),
  ];
  for (const each of [merchant, sharer]) await ownWallet(each);
  await ownWallet(stranger, developmentWallet(6));
  const reply = await instance.caller.send({ method: 'GET', path: '/openapi.json' });
  contract = new OpenApiValidation(JSON.parse(reply.body) as never);
}, LIMIT_MS);

afterAll(() => stage.close());

async function ownWallet(owner: StagedMerchant, key = owner.owner): Promise<void> {
  const wallet = await owner.registerWallet({ address: key.address });
  await owner.verifyWallet(wallet.id, key);
  await owner.routeTo(wallet.id);
}

/** The transfers of the merchant who shares the address are of another amount. */
async function quoted(owner = merchant): Promise<Quoted> {
  const { id } = await owner.createIntent({ amount: owner === sharer ? '9900' : '2500' });
  const [{ id: walletId }] = (await owner.done('GET /v1/wallets')).data;
  const body = { token_id: 'usdc-base', wallet_id: walletId };
  const { payment_method: method } = await owner.done(`POST /v1/payment_intents/${id}/select_method`, { body });
  return { id, due: BigInt(method.token_amount_base_units), address: method.address };
}

/** Puts a transfer on the chain that meets nothing, and lets it be seen; answers the hash of its transaction. */
async function unmatched(to: string, valueBaseUnits: bigint): Promise<string> {
  const txHash = sendTransfer(instance, to, valueBaseUnits);
  await seeTransfer(instance, txHash);
  return txHash;
}

/** The group handles every event of the log. */
async function handleAll(): Promise<void> {
  const reading = new AbortController();
  const filter = { categories: MATCHING_CATEGORIES };
  for await (const { events, live } of stage.core.store.subscribe(filter, START_OF_LOG, reading.signal)) {
    for (const event of events) await instance.parts.payments.matching.group.handle({ event, retries: 0 });
    if (live) reading.abort();
  }
}

/** Each answer is held against the contract. */
async function call(who: StagedMerchant, line: string, ask: Ask = {}) {
  const answer = await who.call(line, ask);
  const [method, path] = line.split(' ') as [string, string];
  contract.check({ method, path, status: answer.status, body: answer.body });
  return answer;
}

/** Names a transaction. Each naming looks at two chains at most, of which a merchant may look at one a second. */
function name(who: StagedMerchant, id: string, body: object, headers: Ask['headers'] = {}) {
  stage.clock.aheadMs += 2 * SECOND_MS;
  return call(who, `POST /v1/payment_intents/${id}/transaction`, { body, headers });
}

async function rows(who: StagedMerchant, query = ''): Promise<readonly { id: string; tx_hash: string }[]> {
  return (await call(who, `GET /v1/unmatched_transfers${query}`)).body.data;
}

const admin = () => ({
  ...operatorContext({ ...stage.core, user: 'alice' }),
  universe: 'test' as const,
  actor: { role: 'admin', type: 'admin', id: 'adm_1' } as const,
});

describe('the queue over HTTP', () => {
  it('shows a merchant what reached its wallets, newest first, with candidates of its own only', async () => {
    const own = await quoted();
    await quoted(sharer);
    const [first, second] = [
      await unmatched(own.address, own.due - 100n * CENT),
      await unmatched(own.address, 12_345_678n),
    ];
    await handleAll();
    expect((await rows(merchant)).map(({ tx_hash }) => tx_hash)).toStrictEqual([second, first]);
    expect((await rows(merchant, '?network_id=base')).length).toBe(2);
    expect(await rows(merchant, '?network_id=bnb')).toStrictEqual([]);
    expect(await rows(stranger)).toStrictEqual([]);
    const [, row] = await rows(merchant);
    const shown = await call(merchant, `GET /v1/unmatched_transfers/${row?.id}`);
    expect(shown.body).toMatchObject({
      object: 'unmatched_transfer',
      status: 'unmatched',
      reason: 'no_reservation',
      tx_hash: first,
      candidates: [{ payment_intent: own.id, distance: '1.000000' }],
    });
    const shared = await call(sharer, `GET /v1/unmatched_transfers/${row?.id}`);
    expect(shared.body.candidates.map((each: { payment_intent: string }) => each.payment_intent)).not.toContain(own.id);
  });

  it('shows no candidate that was canceled since it was ranked', async () => {
    const [own, other] = [await quoted(), await quoted()];
    const txHash = await unmatched(own.address, own.due - 40n * CENT);
    await handleAll();
    const shown = async () => {
      const { data } = (await call(merchant, 'GET /v1/unmatched_transfers')).body;
      const row = data.find((each: { tx_hash: string }) => each.tx_hash === txHash);
      const { body } = await call(merchant, `GET /v1/unmatched_transfers/${row.id}`);
      expect(body.candidates).toStrictEqual(row.candidates);
      return body.candidates.map((each: { payment_intent: string }) => each.payment_intent);
    };
    expect(await shown()).toEqual(expect.arrayContaining([own.id, other.id]));
    await merchant.done(`POST /v1/payment_intents/${own.id}/cancel`);
    expect(await shown()).toContain(other.id);
    expect(await shown()).not.toContain(own.id);
    await merchant.done(`POST /v1/payment_intents/${other.id}/cancel`);
    const { id } = (await rows(merchant)).find(each => each.tx_hash === txHash) as { id: string };
    await call(merchant, `POST /v1/unmatched_transfers/${id}/set_aside`, { body: { outcome: 'kept', note: 'A test' } });
  });

  it('is read in pages, each transfer once', async () => {
    const [all, { body: page }] = [await rows(merchant), await call(merchant, 'GET /v1/unmatched_transfers?limit=1')];
    expect(page).toMatchObject({ object: 'list', url: '/v1/unmatched_transfers', has_more: true });
    const rest = await rows(merchant, `?starting_after=${page.data[0].id}`);
    expect([page.data[0].id, ...rest.map(({ id }) => id)]).toStrictEqual(all.map(({ id }) => id));
  });

  it.each([
    ['limit=0', 'invalid_limit'],
    ['network_id=eth', 'invalid_filter'],
    ['status=open', 'invalid_filter'],
    ['starting_after=tr_00000000000000000000000000', 'invalid_cursor'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await call(merchant, `GET /v1/unmatched_transfers?${query}`)).toMatchObject({ code });
  });

  it('hides from others, as if it had never existed', async () => {
    const [row] = await rows(merchant);
    const never = await call(stranger, 'GET /v1/unmatched_transfers/tr_00000000000000000000000000');
    const hidden = await call(stranger, `GET /v1/unmatched_transfers/${row?.id}`);
    expect([never.status, never.code]).toStrictEqual([404, 'unmatched_transfer_not_found']);
    expect([hidden.status, hidden.code]).toStrictEqual([404, 'unmatched_transfer_not_found']);
    const live = { key: merchant.registered.keys.live };
    expect(await call(merchant, `GET /v1/unmatched_transfers/${row?.id}`, live)).toMatchObject({ status: 404 });
    expect(await call(stranger, `GET /v1/unmatched_transfers?starting_after=${row?.id}`)).toMatchObject({
      code: 'invalid_cursor',
    });
  });
});

const decision = { outcome: 'returned', note: 'Sent back on request of the customer' };

describe('setting a transfer aside over HTTP', () => {
  const setAside = (who: StagedMerchant, id: string | undefined, body: object = decision) =>
    call(who, `POST /v1/unmatched_transfers/${id}/set_aside`, { body });

  it('takes it out of the queue, once, with the note', async () => {
    const own = await quoted();
    const txHash = await unmatched(own.address, own.due - 30n * CENT);
    const id = (await rows(merchant)).find(each => each.tx_hash === txHash)?.id;
    expect(await setAside(stranger, id)).toMatchObject({ status: 404, code: 'unmatched_transfer_not_found' });
    const before = await stage.core.store.lastPosition();
    for (const body of [
      { ...decision, outcome: 'lost' },
      { ...decision, note: ' ' },
    ])
      expect(await setAside(merchant, id, body)).toMatchObject({ status: 400, code: 'invalid_resolution' });
    expect(await stage.core.store.lastPosition()).toBe(before);
    expect(await setAside(merchant, id)).toMatchObject({
      status: 200,
      body: { object: 'unmatched_transfer', id, status: 'set_aside', set_aside: decision, tx_hash: txHash },
    });
    expect((await rows(merchant)).map(row => row.id)).not.toContain(id);
    expect((await rows(sharer)).map(row => row.id)).not.toContain(id);
    expect(await call(merchant, `GET /v1/unmatched_transfers/${id}`)).toMatchObject({ status: 404 });
    expect(await setAside(merchant, id)).toMatchObject({ status: 409, code: 'unmatched_transfer_already_resolved' });
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({
      code: 'unmatched_transfer_already_resolved',
    });
    const [last] = (await stage.core.store.readStream(`test.transfer-base:${txHash}:0`)).slice(-1);
    expect(last).toMatchObject({ type: 'TransferSetAside', data: decision });
  });

  it('lets support open it again', async () => {
    const own = await quoted();
    const txHash = await unmatched(own.address, own.due - 31n * CENT);
    const id = (await rows(merchant)).find(each => each.tx_hash === txHash)?.id as string;
    expect(await setAside(merchant, id, { outcome: 'kept', note: 'A tip' })).toMatchObject({ status: 200 });
    await instance.app.get(CommandBus).execute(new ReopenUnmatchedTransfer(keyOf(txHash), 'It was a payment', admin()));
    const shown = await call(merchant, `GET /v1/unmatched_transfers/${id}`);
    expect(shown.body).toMatchObject({ status: 'unmatched', reason: 'reopened', set_aside: null });
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({ status: 200 });
  });
});

describe('naming a transaction over HTTP', () => {
  it('answers the payment, and takes the row out of the queue at once', async () => {
    const own = await quoted();
    const txHash = await unmatched(own.address, own.due - 50n * CENT);
    const row = (await rows(merchant)).find(each => each.tx_hash === txHash);
    const answer = await name(merchant, own.id, { tx_hash: txHash.toUpperCase().replace('0X', '0x'), log_index: 0 });
    expect(answer).toMatchObject({ status: 200, body: { object: 'payment_intent', id: own.id, status: 'detected' } });
    expect(await call(merchant, `GET /v1/unmatched_transfers/${row?.id}`)).toMatchObject({ status: 404 });
    expect((await rows(merchant)).map(({ tx_hash }) => tx_hash)).not.toContain(txHash);
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({ code: 'duplicate_transaction' });
    const other = await quoted();
    expect(await name(merchant, other.id, { tx_hash: txHash })).toMatchObject({
      status: 409,
      code: 'attribution_already_exists',
    });
  });

  it('answers 202 while no block holds the transaction, the same under its Idempotency-Key, and 200 when one does', async () => {
    const own = await quoted();
    const txHash = freshHash();
    const headers = { 'idempotency-key': 'named once' };
    const first = await name(merchant, own.id, { tx_hash: txHash }, headers);
    expect(first).toMatchObject({
      status: 202,
      body: { object: 'transaction_claim', status: 'pending', payment_intent: own.id, tx_hash: txHash, reason: null },
    });
    const again = await name(merchant, own.id, { tx_hash: txHash }, headers);
    expect([again.status, again.body]).toStrictEqual([first.status, first.body]);
    sendTransfer(instance, own.address, own.due - 50n * CENT, txHash);
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({
      status: 200,
      body: { status: 'detected' },
    });
  });

  it('files the number of an exchange for support', async () => {
    const own = await quoted();
    const answer = await name(merchant, own.id, { tx_hash: 'Internal transfer 5550001234' });
    expect(answer).toMatchObject({
      status: 202,
      body: { status: 'in_review', tx_hash: '5550001234', expires_at: null, transfer: null },
    });
  });

  it('takes the number of an exchange alone, as the remedy says, where it is lost among other words', async () => {
    const own = await quoted();
    const among = await name(merchant, own.id, { tx_hash: 'my exchange says that it is 5550004321' });
    expect(among).toMatchObject({ status: 400, code: 'invalid_tx_hash' });
    expect(ERROR_REMEDIES.invalid_tx_hash).toContain(
      'The number of an exchange is taken in the same field: send it alone.',
    );
    expect(await name(merchant, own.id, { tx_hash: '5550004321' })).toMatchObject({ status: 202 });
  });

  it('shows what was filed on the payment and in a list, to its merchant alone', async () => {
    const own = await quoted();
    const { body: filed } = await name(merchant, own.id, { tx_hash: 'Internal transfer 5550009876' });
    const txHash = freshHash();
    const { body: named } = await name(merchant, own.id, { tx_hash: txHash });
    const namings = async () => (await call(merchant, `GET /v1/payment_intents/${own.id}`)).body.claims;
    const [internal, pending] = [
      { id: filed.id, reference: '5550009876', kind: 'exchange_transfer', status: 'in_review', created: filed.created },
      { id: named.id, reference: txHash, kind: 'transaction', status: 'pending', created: named.created },
    ];
    expect(await namings()).toHaveLength(2);
    expect(await namings()).toEqual(expect.arrayContaining([internal, pending]));
    const listed = async (who: StagedMerchant, status: string) =>
      (await call(who, `GET /v1/transaction_claims?status=${status}`)).body.data;
    expect(await listed(merchant, 'in_review')).toContainEqual(filed);
    expect(await listed(merchant, 'in_review')).not.toContainEqual(named);
    expect(await listed(merchant, 'pending')).toContainEqual(named);
    expect(await listed(sharer, 'in_review')).not.toContainEqual(filed);
    const unknown = await call(merchant, 'GET /v1/transaction_claims?status=open');
    expect(unknown).toMatchObject({ status: 400, code: 'invalid_filter' });
    sendTransfer(instance, own.address, own.due - 60n * CENT, txHash);
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({ status: 200 });
    await handleAll();
    expect(await namings()).toContainEqual({ ...pending, status: 'attributed' });
  });

  it('decides no naming of one of two who share an address against a nearer payment of the other', async () => {
    const [own, others] = [await quoted(), await quoted(sharer)];
    // Half a step off the grid: nobody's amount, and no other one's is nearer.
    const txHash = await unmatched(own.address, others.due + 5n);
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({
      status: 202,
      body: { status: 'in_review', reason: 'The amount of another payment is nearer to the transfer.' },
    });
    // The chain has answered for the naming before; this one reads anew all the same, as if it had waited.
    const late = () => name(sharer, others.id, { tx_hash: txHash });
    expect(await instance.readOnce.anew(late)).toMatchObject({ status: 200 });
  });

  it.each([
    ['invalid_tx_hash', { tx_hash: '' }],
    ['invalid_tx_hash', { tx_hash: 'x'.repeat(301) }],
    ['invalid_tx_hash', { tx_hash: 5 }],
    ['invalid_tx_hash', { tx_hash: 'ab'.repeat(32) }],
    ['invalid_log_index', { tx_hash: `0x${'ab'.repeat(32)}`, log_index: -1 }],
    ['invalid_log_index', { tx_hash: `0x${'ab'.repeat(32)}`, log_index: '0' }],
    ['parameter_missing', {}],
    ['parameter_invalid', { tx_hash: `0x${'ab'.repeat(32)}`, hash: 'x' }],
  ])('answers %s to %j and writes nothing', async (code, body) => {
    const own = await quoted();
    const before = await stage.core.store.lastPosition();
    expect(await name(merchant, own.id, body)).toMatchObject({ status: 400, code });
    expect(await stage.core.store.lastPosition()).toBe(before);
  });

  it('answers payment_not_quoted, payment_canceled and payment_not_found', async () => {
    const body = { tx_hash: `0x${'ab'.repeat(32)}` };
    const { id } = await merchant.createIntent();
    expect(await name(merchant, id, body)).toMatchObject({ status: 409, code: 'payment_not_quoted' });
    await merchant.done(`POST /v1/payment_intents/${id}/cancel`);
    expect(await name(merchant, id, body)).toMatchObject({ status: 402, code: 'payment_canceled' });
    expect(await name(stranger, id, body)).toMatchObject({ status: 404, code: 'payment_not_found' });
  });
});

describe('the decisions of administrators', () => {
  it('go by the command bus', async () => {
    const own = await quoted();
    const txHash = await unmatched(own.address, own.due - 70n * CENT);
    const id = (await rows(merchant)).find(each => each.tx_hash === txHash)?.id as string;
    const bus = instance.app.get(CommandBus);
    const reopen = () => bus.execute(new ReopenUnmatchedTransfer(keyOf(txHash), 'For another order', admin()));
    await expect(reopen()).rejects.toMatchObject({ code: 'unmatched_transfer_not_resolved' });
    const merchantContext = systemContext(randomUuid(stage.core.entropy), {
      actor: 'watcher',
      mode: 'test',
      merchantId: null,
      now: stage.clock.now(),
    });
    const byAnother = new ResolveUnmatchedTransfer(keyOf(txHash), own.id, 'The customer called', merchantContext);
    await expect(bus.execute(byAnother)).rejects.toMatchObject({ code: 'forbidden_actor' });
    await bus.execute(new ResolveUnmatchedTransfer(keyOf(txHash), own.id, 'The customer called', admin()));
    expect(await merchant.done(`GET /v1/payment_intents/${own.id}`)).toMatchObject({ status: 'detected' });
    expect(await call(merchant, `GET /v1/unmatched_transfers/${id}`)).toMatchObject({ status: 404 });
  });
});

// Last, since the merchant's clock stays a day ahead.
describe('the remedy of payment_expired', () => {
  it('is what works for a transfer that came too late for its payment', async () => {
    const own = await quoted();
    await merchant.done('POST /v1/sandbox/clock', { body: { advance_ms: 25 * HOUR_MS } });
    const txHash = await unmatched(own.address, own.due - 40n * CENT);
    expect(await name(merchant, own.id, { tx_hash: txHash })).toMatchObject({ status: 402, code: 'payment_expired' });
    const id = (await rows(merchant)).find(each => each.tx_hash === txHash)?.id as string;
    expect(await call(merchant, remedyCall('payment_expired', id), { body: decision })).toMatchObject({ status: 200 });
    expect((await rows(merchant)).map(row => row.id)).not.toContain(id);
  });
});
