import { h } from 'preact';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import { DashboardFaultPage } from '../../../web/faults/dashboard-fault.page';
import { BuiltPages } from '../../../web/http/built-pages';
import { DEVELOPERS, PageSender, pageText } from '../../../web/http/page-sender';
import type { Reply } from '../../support/http-caller';
import { PersonBrowser, type DashboardStage } from '../dashboard-stage';
import type { AnsweredPage } from '../readable-pages';

const HOME = '/dashboard/test';
const PASSWORD = 'plum harbour 47 lanterns';
const REFUSAL = 400;
const WRONG = '000000';
const LINK = /(\/dashboard\/open-account)\?token=([\w-]+)/;
const DEAD_INVITATION = '/dashboard/invitation?token=none';
const KEY = { kind: 'sk', name: 'A till', ends: '30', 'payment:read': 'on' };
const ENDPOINT = { url: 'http://127.0.0.1:9/hooks', description: '', '*': 'on' };
const ORDER = { amount: 'much', currency: 'EUR', description: '', metadata: '' };
const LINK_TERMS = { ...ORDER, kind: 'fixed', success_url: '', max_uses: '', expires_at: '' };
const INVITED = { email: 'nobody', role: 'king' };
/** All others have the same parts, in other words. */
const FAULTS: readonly ErrorCode[] = ['permission_denied', 'resource_missing', 'rate_limit'];

/** Forms of the owner that are refused, by the page that they stand on: a summary leads to the field. */
const REFUSED: readonly (readonly [page: string, path: string, fields: object])[] = [
  ['security', 'security/password', { present: 'a wrong one', wanted: 'a better one of many words' }],
  ['security', 'security/recovery-codes', { code: WRONG }],
  ['payments/new', 'payments/new', ORDER],
  ['links/new', 'links/new', LINK_TERMS],
  ['wallets/new', 'wallets/new', { network_id: 'base', address: '0x1', label: '', code: WRONG }],
  ['keys/new', 'keys/new', { ...KEY, code: '' }],
  ['webhooks/new', 'webhooks/new', { ...ENDPOINT, url: 'ftp://shop.example', code: WRONG }],
  ['settings/users/new', 'settings/users/new', { ...INVITED, code: WRONG }],
  ['settings/session-policy', 'settings/session-policy', { idle_minutes: '90', absolute_minutes: '5', code: WRONG }],
];

/** The pages that answer forms: secrets shown once, mails that were sent, refused forms, and faults. */
export async function answeredPages(dashboard: DashboardStage): Promise<readonly AnsweredPage[]> {
  const { owner } = dashboard;
  const pages = await entryPages(dashboard);
  const answer = async (page: string, path: string, fields: object, isRefused = false): Promise<void> => {
    const reply = await owner.sendForm(`${HOME}/${page}`, `${HOME}/${path}`, fields);
    pages.push(answered(path, `${HOME}/${page}`, reply, isRefused));
  };
  const code = () => ({ code: owner.merchant.nextCode() });
  await answer('keys/new', 'keys/new', { ...KEY, ...code() });
  await answer('webhooks/new', 'webhooks/new', { ...ENDPOINT, ...code() });
  await answer('security', 'security/recovery-codes', code());
  await answer('security', 'security/authenticator', code());
  for (const refused of REFUSED) await answer(...refused, true);
  return [...pages, ...faultPages()];
}

/** The pages on the way to an account, as a stranger meets them. */
async function entryPages({ instance, merchant, stage }: DashboardStage): Promise<AnsweredPage[]> {
  const email = 'newcomer@shop.example';
  const newcomer = new PersonBrowser(instance, merchant, email);
  const send = (path: string, fields: object) => newcomer.sendForm(path, path, fields);
  const sent = await send('/dashboard/sign-up', { business: 'New Shop', name: 'Nora', email });
  const [, path = '', token] = LINK.exec(sent.body) ?? [];
  const weak = await send(path, { token, password: 'short' });
  await send(path, { token, password: PASSWORD });
  const late = await send(path, { token, password: PASSWORD });
  const dead = await newcomer.open(DEAD_INVITATION);
  const wrong = await send('/dashboard/sign-in', { email, password: 'a wrong one', next: '' });
  await newcomer.startSignIn();
  const { offer, answer } = await newcomer.enrol(stage.clock);
  const started = newcomer.another();
  await started.startSignIn();
  const noCode = await started.sendForm('/dashboard/code', '/dashboard/code', { code: WRONG, next: '' });
  const noRecovery = await started.sendForm('/dashboard/recovery', '/dashboard/recovery', { recovery_code: 'none' });
  return [
    answered('a mail that was sent', '/dashboard/sign-up', sent),
    answered('a weak password', path, weak, true),
    answered('a link that was used', path, late, true),
    answered('an invitation that does nothing', DEAD_INVITATION, dead, true),
    answered('a refused password', '/dashboard/sign-in', wrong, true),
    answered('an authenticator to enrol', '/dashboard/enrol', offer),
    answered('the first recovery codes', '/dashboard/enrol', answer),
    answered('a refused code', '/dashboard/code', noCode, true),
    answered('a refused recovery code', '/dashboard/recovery', noRecovery, true),
  ];
}

function faultPages(): readonly AnsweredPage[] {
  const sender = new PageSender(BuiltPages.read(), '', DEVELOPERS);
  const facts = sender.factsFor({ query: {}, headers: {} } as never, HOME);
  return FAULTS.map(code => ({
    name: `a fault, ${code}`,
    at: HOME,
    body: pageText(facts, h(DashboardFaultPage, { code, mode: 'test' })),
  }));
}

/** Fails where the form was answered otherwise than meant. */
function answered(name: string, at: string, { status, body }: Reply, isRefused: boolean = false): AnsweredPage {
  expect([name, status >= REFUSAL, body.includes('role="alert"')]).toEqual([name, isRefused, isRefused]);
  return { name, at, body };
}
