import { CommandBus } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { LiftKillSwitch, SetKillSwitch } from '../../../src/modules/kill-switches/kill-switch.command';
import { searchSize } from '../../levels/search-size';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { Answer } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const ORDER = { amount: '2500', currency: 'EUR' };
const PAYMENTS = searchSize('SWITCHED_PAYMENTS', { small: 20, full: 100 });
/** Requests that are sent at the very moment of the switch, answered before it, and sent after its answer. */
const AROUND = Math.ceil(PAYMENTS / 5);
const BEFORE = Math.ceil((PAYMENTS - AROUND) / 2);
const AFTER = PAYMENTS - AROUND - BEFORE;

let stage: ApiStage;
/** Each answers from its own memory, and every other request goes to the other one. */
let instances: readonly [ApiInstance, ApiInstance];

beforeAll(async () => {
  stage = await ApiStage.open();
  instances = [await stage.startInstance(), await stage.startInstance()];
  stage.follow();
}, LIMIT_MS);
afterAll(() => stage.close(), LIMIT_MS);

const times = <Result>(count: number, ask: (index: number) => Promise<Result>): Promise<readonly Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));

async function turned(Turn: typeof SetKillSwitch | typeof LiftKillSwitch, scope: string, subject: string) {
  const context = operatorContext({ ...stage.core, user: 'alice' });
  const stop = { mode: 'test', ground: 'operator' } as const;
  await instances[0].app.get(CommandBus).execute(new Turn(scope, subject, stop, 'an alarm', context));
}

/** Requests around the moment of a switch; answers those that were taken and those that were refused. */
async function aroundSwitch(scope: string, subject: string, ask: (index: number) => Promise<Answer>, code: string) {
  const before = await times(BEFORE, ask);
  const [around] = await Promise.all([
    times(AROUND, index => ask(BEFORE + index)),
    turned(SetKillSwitch, scope, subject),
  ]);
  const after = await times(AFTER, index => ask(BEFORE + AROUND + index));
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
  expect(after.map(answer => answer.code)).toEqual(after.map(() => code));
  expect(around.filter(answer => answer.status !== 200 && answer.code !== code)).toEqual([]);
  return [...before, ...around, ...after].map(({ status }) => status === 200);
}

async function payableMerchant() {
  const merchant = await stage.register(instances[0]);
  const { id: walletId } = await merchant.registerWallet();
  await merchant.verifyWallet(walletId);
  await merchant.routeTo(walletId);
  return { merchant, there: merchant.at(instances[1].caller), walletId };
}

describe.each(['merchant', 'network', 'asset'])(`the kill switch of one %s, set amid ${PAYMENTS} payments`, scope => {
  it(
    'lets exactly those go on that were taken before it, and refuses the others',
    async () => {
      const { merchant, there, walletId } = await payableMerchant();
      const call = (index: number, line: string, body: object) =>
        (index % 2 === 0 ? merchant : there).call(line, { body });
      const select = (index: number, id: string) =>
        call(index, `POST /v1/payment_intents/${id}/select_method`, { token_id: 'usdc-base', wallet_id: walletId });
      const statusOf = async (id: string) => (await merchant.done(`GET /v1/payment_intents/${id}`)).status as string;
      const made: string[] = [];
      const create = async (index: number): Promise<Answer> => {
        const answer = await call(index, 'POST /v1/payment_intents', ORDER);
        if (answer.status === 200) made[index] = answer.body.id as string;
        return answer;
      };
      const isOfMerchant = scope === 'merchant';
      if (!isOfMerchant) await times(PAYMENTS, create);
      const subject = { merchant: merchant.id, network: 'base', asset: 'USDC' }[scope] ?? '';
      const taken = isOfMerchant
        ? await aroundSwitch(scope, subject, create, 'payments_paused')
        : await aroundSwitch(scope, subject, index => select(index, made[index] ?? ''), 'token_disabled');
      if (isOfMerchant) await times(made.length, async index => made[index] && select(index, made[index]));
      const statuses = await Promise.all(made.map(statusOf));
      await turned(LiftKillSwitch, scope, subject);
      expect(statuses).toEqual(made.map((_, index) => (isOfMerchant || taken[index] ? 'awaiting_payment' : 'created')));
      expect(made.filter(Boolean)).toHaveLength(isOfMerchant ? taken.filter(Boolean).length : taken.length);
      const recorded = (await merchant.done('GET /v1/payment_intents?limit=100')).data as readonly {
        readonly id: string;
      }[];
      expect(recorded.map(({ id }) => id).sort()).toEqual(made.filter(Boolean).sort());
    },
    LIMIT_MS,
  );
});
