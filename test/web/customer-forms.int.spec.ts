import { refuse } from '../../src/vocabulary/errors';
import { CustomerPages, type CustomerRequest } from '../../web/http/customer-pages';
import type { FormWork } from '../../web/http/form-work';
import type { LivePages } from '../../web/http/live-pages';
import type { PageSender } from '../../web/http/page-sender';

const COMMAND = { commandId: 'command', startedAt: 0 };

/** Sends a form whose lease is a first or a later try, while the page's facts change with each look. */
async function worked(isFirstTry: boolean, fault: Error | null = null) {
  const language = { code: 'en' };
  const pages = { factsFor: () => ({ language, namedLanguage: null }) } as unknown as PageSender;
  const once: FormWork['once'] = (_, work) => work({ ...COMMAND, isFirstTry });
  const customers = new CustomerPages({
    pages,
    forms: { once } as FormWork,
    live: {} as LivePages,
    entropy: {} as never,
    customers: { assertTaken: () => Promise.resolve() },
  });
  const reply = { status: () => reply, header: () => reply, send: () => reply };
  const asked = { request: { id: 'req_1', ip: '127.0.0.1' }, reply, id: 'pi_1' } as unknown as CustomerRequest;
  let looks = 0;
  const facts = () => Promise.resolve({ mode: 'test' as const, merchantId: 'mch_1', nowMs: ++looks });
  const ran: unknown[] = [];
  await customers.work(asked, {
    kind: 'method',
    form: {},
    facts,
    read: now => context => {
      ran.push([now.nowMs, context.now]);
      return fault ? Promise.reject(fault) : Promise.resolve('/checkout/pi_1');
    },
    view: facts,
    refused: (_, now) => Promise.resolve(void ran.push(['refused', now.nowMs])),
  });
  return { ran, looks };
}

test('a first try works on the facts that the request has read', async () => {
  expect(await worked(true)).toStrictEqual({ ran: [[1, 1]], looks: 1 });
});

test('a later try, which may have waited for the one before, works on facts of its own moment', async () => {
  expect(await worked(false)).toStrictEqual({ ran: [[2, 2]], looks: 2 });
});

test('a refusal is told with the facts after it', async () => {
  const { ran } = await worked(true, refuse('payments_paused'));
  expect(ran).toStrictEqual([
    [1, 1],
    ['refused', 2],
  ]);
});
