import { TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { commandId as idOf } from '../../../src/vocabulary/ids';
import type { MerchantContext } from '../../../src/kernel/command-context';
import {
  CreatePaymentIntent,
  CreatePaymentIntentHandler,
} from '../../../src/modules/payment-intents/commands/create-payment-intent.command';
import type { RateBook } from '../../../src/modules/quotes/rate-book';
import { fixedBox } from '../../support/fixed-data-keys';
import { PaymentFixture } from '../../support/payment-fixture';
import { DEFAULT_PAYMENT_LIMITS } from '../../support/payment-limits';
import { UNCOUNTED } from '../../support/uncounted';

const ORDER = {
  amountMinorUnits: 2_500n,
  currency: 'EUR',
  metadata: {},
  description: null,
  successUrl: null,
  account: { enabledTokens: TOKEN_IDS, defaultSuccessUrl: null, isPaused: false, limits: DEFAULT_PAYMENT_LIMITS },
};
const LATER_MS = 60_000;

describe('a payment that is created', () => {
  const fixture = new PaymentFixture();
  const box = fixedBox(Buffer.alloc(32, 7), fixture.entropy);
  const rates = { isListed: () => true, quote: () => ({ rate: '1.08', dollarRate: '1', observations: [] }) };
  const handler = new CreatePaymentIntentHandler(fixture.writes, rates as unknown as RateBook, box, UNCOUNTED);
  const create = (context: MerchantContext) => handler.execute(new CreatePaymentIntent(ORDER, context));

  afterEach(() => jest.restoreAllMocks());

  it('reads no stream at the first try', async () => {
    const reads = jest.spyOn(fixture.store, 'readStream');
    const { history } = await create({ ...fixture.context(), isFirstTry: true });
    expect(history.map(({ type }) => type)).toEqual(['PaymentIntentCreated']);
    expect(reads).not.toHaveBeenCalled();
  });

  it('is answered as it was recorded when a later try finds it', async () => {
    const context = fixture.context();
    const first = await create({ ...context, isFirstTry: true });
    const again = await create({ ...context, now: context.now + LATER_MS, isFirstTry: false });
    expect(again.id).toBe(first.id);
    expect(again.history.map(({ metadata }) => metadata)).toEqual(first.history.map(({ metadata }) => metadata));
    expect(await fixture.events(first.id)).toHaveLength(1);
  });

  it.each(['the account is paused', 'the currency is not listed'])(
    'is answered also where %s since then',
    async since => {
      const context = fixture.context();
      const { id } = await create({ ...context, isFirstTry: true });
      const isPaused = since === 'the account is paused';
      jest.spyOn(rates, 'isListed').mockReturnValue(isPaused);
      const order = { ...ORDER, account: { ...ORDER.account, isPaused } };
      const again = new CreatePaymentIntent(order, { ...context, isFirstTry: false });
      const answer = handler.execute(again);
      await expect(answer).resolves.toMatchObject({ id });
      const other = new CreatePaymentIntent(order, fixture.context());
      await expect(handler.execute(other)).rejects.toMatchObject({
        code: isPaused ? 'payments_paused' : 'currency_not_supported',
      });
    },
  );

  it('is not taken for new where somebody has used its id', async () => {
    const context = { ...fixture.context(), isFirstTry: true };
    const id = idOf('pi', context.startedAt, await box.deriveKey('ids'), context.commandId);
    await fixture.quoted(id);
    await expect(create(context)).rejects.toMatchObject({ code: 'invalid_state_transition' });
    expect(await fixture.eventTypes(id)).toEqual(['PaymentIntentCreated', 'MethodSelected']);
  });
});
