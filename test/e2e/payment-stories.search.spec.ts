import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TOKENS } from '../../src/vocabulary/tokens';
import { STATUSES } from '../../src/modules/payment-intents/payment-intent.transitions';
import { searchSize } from '../levels/search-size';
import { developmentWallet } from '../support/customer';
import { ServiceInProcess } from '../support/service-in-process';
import { StoryShop } from '../support/story-shop';
import { TronCustomer, tronOwner } from '../support/tron-customer';
import { Lanes } from './stories/lanes';
import { lateStories } from './stories/late';
import { lenientStories } from './stories/lenient';
import { Payer } from './stories/payer';
import { REVIEW_STORIES } from './stories/reviews';
import { refusal } from './stories/steps';
import { unmatchedStories } from './stories/unmatched';
import { TILL_STORIES } from './stories/till';

const LIMIT_MS = 120_000;
const AWAY = 'http://127.0.0.1:9';
const CROWD = searchSize('STORY_CROWD', { small: 16, full: 64 });
/** The first two stories of each lane reach every state. */
const STORIES = searchSize('PAYMENT_STORIES', { small: 2, full: 6 });
const DECISION = { resolution: 'rejected', note: 'not this one' } as const;
const LISTED = [3, 4];
const UNMATCHED_PAYER = 2;
/** Accounts that no payer uses. */
const OWNERS = { till: 21, lenient: 22, late: 23, unmatched: 24, tron: 25 };

type Name = keyof typeof OWNERS;

const listFolder = mkdtempSync(path.join(tmpdir(), 'quittance-listed-'));
const shops = {} as Record<Name, StoryShop>;
const lanes = new Lanes(LIMIT_MS, STORIES);
const payers: Payer[] = [];
let service: ServiceInProcess;
let tronCustomer: TronCustomer;

beforeAll(async () => {
  service = await ServiceInProcess.start({
    SANDBOX_CHAINS: 'on',
    // A crowd asks by one key.
    RATE_LIMITS: 'off',
    BNB_TEST_RPC_URLS: AWAY,
    SANCTIONS_LIST_FILE: sanctionsList(),
  });
  for (const name of Object.keys(OWNERS) as Name[]) shops[name] = await openShop(name);
  await shops.lenient.merchant.api.settings.update({ payment_tolerance_bps: 100 });
  for (const account of [...LISTED, UNMATCHED_PAYER]) payers.push(Payer.onSandbox(service.dataFolder, account));
  tronCustomer = await TronCustomer.onSandbox(service.dataFolder);
}, LIMIT_MS);

afterAll(async () => {
  await lanes.ended();
  for (const payer of payers) payer.close();
  await tronCustomer?.close();
  for (const shop of Object.values(shops)) await shop.receiver.close();
  await service?.stop();
  rmSync(listFolder, { recursive: true });
}, LIMIT_MS);

function sanctionsList(): string {
  const rows = LISTED.map(account => {
    return {
      address: developmentWallet(account).address,
      network: 'base',
      list_source: 'test',
      reference: `${account}`,
    };
  });
  const file = path.join(listFolder, 'sanctions.json');
  writeFileSync(file, JSON.stringify(rows));
  return file;
}

function openShop(name: Name): Promise<StoryShop> {
  const account = OWNERS[name];
  return name === 'tron'
    ? StoryShop.open(service, name, 'usdt-tron', tronOwner(account))
    : StoryShop.open(service, name, 'usdc-base', developmentWallet(account));
}

function payer(index: number): Payer {
  const found = payers[index];
  if (!found) throw new Error(`there is no payer ${index}`);
  return found;
}

it(
  'block by block, paid on TRON: awaiting_payment, detected, confirming, confirmed',
  async () => {
    const story = await shops.tron.quoted();
    const { payment_method: method } = await story.payment();
    await tronCustomer.makeBlocksEvery(0);
    try {
      const txHash = await tronCustomer.pay(method.token_contract, method.address, method.token_amount_base_units);
      await story.stays({ transfers: [] });
      await tronCustomer.mine(1);
      const transfer = { tx_hash: txHash, from: tronCustomer.address, token_amount: method.token_amount };
      await story.reached('detected', {
        events: ['transfer_seen by watcher'],
        facts: { received_amount: '0', transfers: [{ ...transfer, status: 'seen', confirmations: 0 }] },
      });
      await tronCustomer.mine(1);
      await story.reached('confirming', {
        events: ['confirming by watcher'],
        facts: { received_amount: '0', transfers: [{ ...transfer, status: 'confirming', confirmations: 1 }] },
      });
      const { paymentIntents } = shops.tron.merchant.api;
      expect(await refusal(paymentIntents.cancel(story.id))).toBe('409 invalid_state_transition');
      await tronCustomer.mine(19);
      await story.reached('confirmed', {
        events: ['deep_enough by watcher', 'settled confirmed by watcher'],
        facts: { received_amount: '2500', transfers: [{ ...transfer, status: 'credited' }] },
      });
    } finally {
      await tronCustomer.makeBlocksEvery(1);
    }
  },
  LIMIT_MS,
);

describe('side by side', () => {
  beforeAll(() => lanes.start());

  describe('at a counter, on Base', () => lanes.lane(() => shops.till, TILL_STORIES));
  describe('reviews, on TRON', () => lanes.lane(() => shops.tron, REVIEW_STORIES));
  describe('tolerance and holds', () =>
    lanes.lane(() => shops.lenient, lenientStories(() => service, () => payer(0)))); // prettier-ignore
  describe('after the quote', () => lanes.lane(() => shops.late, lateStories(() => service, () => payer(1)))); // prettier-ignore
  describe('unmatched transfers', () => lanes.lane(() => shops.unmatched, unmatchedStories(() => payer(2)))); // prettier-ignore
});

it(
  `${CROWD} clients select a method at one price at once and get ${CROWD} amounts`,
  async () => {
    const { merchant, tokenId } = shops.tron;
    const asked = await Promise.all(Array.from({ length: CROWD }, () => merchant.createIntent('4200', 'EUR')));
    const quoted = await Promise.all(asked.map(({ id }) => merchant.selectMethod(id, tokenId)));
    const amounts = quoted.map(({ payment_method }) => BigInt(payment_method.token_amount_base_units));
    expect(new Set(amounts).size).toBe(CROWD);
    const sorted = [...amounts].sort((one, other) => (one < other ? -1 : 1));
    const gaps = sorted.slice(1).map((amount, index) => amount - (sorted[index] ?? 0n));
    const least = 2n * TOKENS[tokenId].attributionToleranceBaseUnits;
    expect(gaps.filter(gap => gap < least)).toStrictEqual([]);
  },
  LIMIT_MS,
);

describe('in the end', () => {
  it(
    'every state is reached, and each list by status holds those of its status and no others',
    async () => {
      const found = new Set<string>();
      for (const { merchant, stories } of Object.values(shops)) {
        const { paymentIntents } = merchant.api;
        const listed = new Map<string, string>();
        for (const status of STATUSES) {
          for await (const payment of paymentIntents.list({ status, limit: 50 })) {
            expect(payment.status).toBe(status);
            expect(listed.has(payment.id)).toBe(false);
            listed.set(payment.id, status);
          }
        }
        for (const { id } of stories) {
          const { status } = await paymentIntents.retrieve(id);
          expect(listed.get(id)).toBe(status);
          found.add(status);
        }
      }
      // The states `detected` and `confirming` need no pause; the story that goes block by block stood in each.
      expect([...found.add('detected').add('confirming')].sort()).toStrictEqual([...STATUSES].sort());
    },
    LIMIT_MS,
  );

  it(
    'what a state has no edge for is refused, and changes nothing',
    async () => {
      for (const { merchant, tokenId, stories } of Object.values(shops)) {
        const { paymentIntents } = merchant.api;
        for (const story of stories) {
          const { id, status, review } = await paymentIntents.retrieve(story.id);
          const isNew = status === 'created';
          if (!isNew) expect(await refusal(merchant.selectMethod(id, tokenId))).toBe('409 invalid_state_transition');
          if (!isNew && status !== 'awaiting_payment')
            expect(await refusal(paymentIntents.cancel(id))).toBe('409 invalid_state_transition');
          if (status !== 'underpaid')
            expect(await refusal(paymentIntents.accept(id))).toBe('409 payment_not_underpaid');
          if (review === null || review.resolution !== null)
            expect(await refusal(paymentIntents.resolve(id, DECISION))).toBe('409 payment_not_resolvable');
          await story.stays({ review });
        }
      }
    },
    LIMIT_MS,
  );

  it(
    'every webhook has arrived, signed; one for each state and change of a hold, and none for awaiting_payment',
    async () => {
      for (const { receiver, stories } of Object.values(shops)) {
        for (const story of stories) await story.isToldInFull();
        expect(receiver.refused).toBe(0);
      }
    },
    LIMIT_MS,
  );

  it(
    'the hash chains hold, and what is read equals what the log says',
    async () => {
      const audit = await service.run<{ intact: boolean; streams: number }>('audit', 'verify');
      expect(audit).toMatchObject({ exitCode: 0, intact: true });
      const verified = await service.run<{ projections: readonly object[] }>('projections', 'verify');
      expect(verified).toMatchObject({ exitCode: 0 });
      expect(verified.projections.filter(row => !('equal' in row && row.equal === true))).toStrictEqual([]);
    },
    LIMIT_MS,
  );
});
