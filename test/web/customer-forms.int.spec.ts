import { NEVER_ADVANCED } from '../../src/vocabulary/clock-standing';
import type { CustomerTerms } from '../../src/vocabulary/customer-terms';
import { refuse } from '../../src/vocabulary/errors';
import { CustomerPages, type CustomerRequest } from '../../web/http/customer-pages';
import { DEFAULT_PAYMENT_LIMITS } from '../support/payment-limits';
import type { FormWork } from '../../web/http/form-work';
import type { LivePages } from '../../web/http/live-pages';
import type { PageSender } from '../../web/http/page-sender';

const TERMS: CustomerTerms = {
  mode: 'test',
  merchantId: 'mch_1',
  clock: NEVER_ADVANCED,
  nowMs: 0,
  payments: { enabledTokens: [], defaultSuccessUrl: null, isPaused: false, limits: DEFAULT_PAYMENT_LIMITS },
  methods: { enabledTokens: [], stoppedTokens: [], toleranceBps: 0, walletVelocity: null },
  allowsRestart: false,
  blockedCountries: [],
};
const COMMAND = { commandId: 'command', startedAt: 0 };

/** Sends a form whose lease is a first or a later try, while the terms change with each look. */
async function worked(isFirstTry: boolean, fault: Error | null = null) {
  const language = { code: 'en' };
  const pages = { factsFor: () => ({ language, namedLanguage: null }) } as unknown as PageSender;
  const once: FormWork['once'] = (_, work) => work({ ...COMMAND, isFirstTry });
  const customers = new CustomerPages({
    pages,
    forms: { once } as FormWork,
    live: {} as LivePages,
    entropy: {} as never,
    customers: { assertTaken: () => undefined },
  });
  const reply = { status: () => reply, header: () => reply, send: () => reply };
  const asked = { request: { id: 'req_1', ip: '127.0.0.1' }, reply, id: 'pi_1' } as unknown as CustomerRequest;
  let looks = 0;
  const look = () => Promise.resolve({ ...TERMS, nowMs: ++looks });
  const ran: unknown[] = [];
  await customers.work(asked, {
    kind: 'method',
    form: {},
    terms: look,
    read: now => context => {
      ran.push([now.nowMs, context.now]);
      return fault ? Promise.reject(fault) : Promise.resolve('/checkout/pi_1');
    },
    view: look,
    refused: (_, now) => Promise.resolve(void ran.push(['refused', now.nowMs])),
  });
  return { ran, looks };
}

test('a first try works on the terms that the request has read', async () => {
  expect(await worked(true)).toStrictEqual({ ran: [[1, 1]], looks: 1 });
});

test('a later try, which may have waited for the one before, works on terms of its own moment', async () => {
  expect(await worked(false)).toStrictEqual({ ran: [[2, 2]], looks: 2 });
});

test('a refusal is told with the facts after it', async () => {
  const { ran } = await worked(true, refuse('payments_paused'));
  expect(ran).toStrictEqual([
    [1, 1],
    ['refused', 2],
  ]);
});
