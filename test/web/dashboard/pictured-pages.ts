import type { Reply } from '../../support/http-caller';
import type { DashboardStage } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';
import { beginKyb, PDF, PEOPLE, upload, VERIFICATION } from './account-stage';
import { developersObjects } from './developers-stage';
import { openedFrom, stagedDays, stagedInvoice, stagedLink } from './staged-business';
import { ownWallet } from './own-wallet';
import { inferredPayment, rankedTransfer, stagedPayment } from './staged-payments';
import { stagedWallets } from './wallet-stage';

/** A page by its address, and the person who looks at it: by default the owner. `body`: the answer of a form. */
type Pictured = { readonly at: string; readonly as?: 'nobody' | 'enrolment'; readonly body?: string };

const TEST = '/dashboard/test';

/** The names of the pictures, each of another kind of page. */
export const PICTURED = [
  'sign in',
  'sign up',
  'enrolment',
  'home',
  'home of live mode',
  'payments',
  'a payment',
  'a payment as it was',
  'to review',
  'unmatched transfers',
  'a transfer with candidates',
  'a link',
  'an invoice',
  'books',
  'wallets',
  'a wallet to prove',
  'routes',
  'a new key',
  'shown once',
  'an endpoint',
  'an event',
  'failed events',
  'requests',
  'simulate',
  'people',
  'verification',
  'settings',
] as const;
type PictureName = (typeof PICTURED)[number];

/** Gives the owner something on each page. All of it is the same in each run, but for ids and moments. */
export async function picturedPages(dashboard: DashboardStage): Promise<Readonly<Record<PictureName, Pictured>>> {
  const { owner, merchant, stage } = dashboard;
  const { endpoint, event, payment } = await developersObjects(dashboard);
  const { signing } = await stagedWallets(dashboard);
  for (const status of ['canceled', 'expired', 'overpaid', 'confirmed'] as const)
    await stagedPayment(dashboard, status);
  const failed = await stagedPayment(dashboard, 'failed');
  const underpaid = await stagedPayment(dashboard, 'underpaid');
  await inferredPayment(dashboard);
  const link = await stagedLink(dashboard, { description: 'Pottery class', metadata: { event: 'autumn' } });
  await openedFrom(dashboard, link);
  const lines = [{ description: 'Green tea', quantity: 2, unit_amount: '1250', discount_bps: 500, tax_bps: 1_900 }];
  const { id: invoice } = await stagedInvoice(dashboard, { lines });
  await stagedDays(dashboard);
  const code = merchant.nextCode();
  const colleague = { email: 'grace@corner-shop.example', role: 'finance', code };
  await owner.sendForm(`${PEOPLE}/new`, `${PEOPLE}/new`, colleague);
  const ranked = await rankedTransfer(dashboard, await ownWallet(owner));
  const shownOnce = await keyFormSentTwice(dashboard);
  await beginKyb(dashboard, owner);
  await upload(owner, { name: 'register.pdf', bytes: PDF });
  await stage.project();
  return {
    'sign in': { at: '/dashboard/sign-in', as: 'nobody' },
    'sign up': { at: '/dashboard/sign-up', as: 'nobody' },
    enrolment: { at: '/dashboard/enrol', as: 'enrolment' },
    home: { at: TEST },
    'home of live mode': { at: '/dashboard/live' },
    payments: { at: `${TEST}/payments` },
    'a payment': { at: `${TEST}/payments/${underpaid}` },
    'a payment as it was': { at: `${TEST}/payments/${failed}?as_of=2` },
    'to review': { at: `${TEST}/reviews` },
    'unmatched transfers': { at: `${TEST}/transfers` },
    'a transfer with candidates': { at: `${TEST}/${ranked}` },
    'a link': { at: `${TEST}/links/${link}` },
    'an invoice': { at: `${TEST}/invoices/${String(invoice)}` },
    books: { at: `${TEST}/books` },
    wallets: { at: `${TEST}/wallets` },
    'a wallet to prove': { at: `${TEST}/wallets/${signing}` },
    routes: { at: `${TEST}/routes` },
    'a new key': { at: `${TEST}/keys/new` },
    'shown once': { at: `${TEST}/keys/new`, body: shownOnce.body },
    'an endpoint': { at: `${TEST}/webhooks/${endpoint}` },
    'an event': { at: `${TEST}/events/${event}` },
    'failed events': { at: `${TEST}/events?failed=true` },
    requests: { at: `${TEST}/requests?status=4` },
    simulate: { at: `${TEST}/simulate/${payment}` },
    people: { at: PEOPLE },
    verification: { at: VERIFICATION },
    settings: { at: `${TEST}/settings` },
  };
}

/** The answer to a form whose secret an earlier answer showed. */
async function keyFormSentTwice({ owner, merchant }: DashboardStage): Promise<Reply> {
  const page = `${TEST}/keys/new`;
  const { body } = await owner.open(page);
  const formId = hiddenIn(body, 'form_id');
  const fields = { kind: 'sk', name: 'A till', ends: '30', 'payment:read': 'on', code: merchant.nextCode() };
  const send = async () =>
    owner.sendForm(page, page, fields, { formId, csrf: hiddenIn((await owner.open(page)).body, 'csrf') });
  await send();
  return send();
}
