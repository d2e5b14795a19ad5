import { DatabaseSync } from '@photostructure/sqlite';
import path from 'node:path';
import { EMBEDDED_FILE_NAME } from '../../../src/platform/embedded-file/embedded-file';
import { DashboardStage, PersonBrowser } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';

const LIMIT_MS = 60_000;
const LINK = /href="https?:\/\/[^"/]+(\/dashboard\/[\w-]+)\?token=([\w-]+)"/;
const SECURITY = '/dashboard/test/security';
const VERIFICATION = '/dashboard/test/verification';
const SHOWN = 'plain-sight-of-people';
const PASSWORD = 'plum harbour 47 lanterns';
/** A mail holds the link that it is for, until it is old. */
const OF_MAILS = /^documents:outbox/;

let dashboard: DashboardStage;
let nobody: PersonBrowser;
const secrets = new Map<string, string>([
  ['wrong password', 'canary-wrong-47-password'],
  ['next password', 'canary-next-47-password'],
  ['wrong cookie', 'canary-cookie-0123456789-0123456789'],
  ['wrong recovery code', 'CNRY-CNRY-CNRY-CNRY'],
  ['wrong token', `canary${'t'.repeat(37)}`],
  ['document', 'canary-of-a-document'],
]);
const secret = (name: string): string => secrets.get(name) as string;

beforeAll(async () => {
  dashboard = await DashboardStage.open({}, { LOG_LEVEL: 'trace' });
  nobody = dashboard.owner.another();
  await useEverything();
  await dashboard.instance.parts.requestLog.flush();
}, LIMIT_MS);
afterAll(() => dashboard.close());

/** A person's way from signing up to a new password, with wrong tries at each step. */
async function useEverything(): Promise<void> {
  const email = `${SHOWN}@shop.example`;
  const sent = await post('/dashboard/sign-up', { business: SHOWN, name: SHOWN, email });
  const token = keepLink('sign-up token', sent.body);
  await nobody.open(`/dashboard/open-account?token=${token}`, { referer: `http://localhost/?token=${token}` });
  await post('/dashboard/open-account', { token: secret('wrong token'), password: secret('wrong password') });
  await post('/dashboard/open-account', { token, password: PASSWORD });
  const person = new PersonBrowser(dashboard.instance, dashboard.merchant, email);
  await post('/dashboard/sign-in', { email, password: secret('wrong password'), next: '' });
  await nobody.open('/dashboard/test', { cookie: `__Host-qt_session=${secret('wrong cookie')}` });
  await person.startSignIn();
  const { offer, answer } = await person.enrol(dashboard.stage.clock);
  secrets.set('authenticator', (/<code>([A-Z2-7 ]+)<\/code>/.exec(offer.body)?.[1] ?? '').replaceAll(' ', ''));
  [...answer.body.matchAll(/<code>([0-9A-Z-]{19})<\/code>/g)].forEach(([, code = ''], index) => {
    secrets.set(`recovery code ${index}`, code).set(`bare recovery code ${index}`, code.replaceAll('-', ''));
  });
  secrets.set('first cookie', person.secret);
  await person.sendForm(SECURITY, `${SECURITY}/password`, { present: secret('wrong password'), wanted: PASSWORD });
  await person.sendForm(SECURITY, `${SECURITY}/password`, { present: PASSWORD, wanted: secret('next password') });
  secrets.set('form token', hiddenIn((await person.open(SECURITY)).body, 'csrf'));
  await sendDocument(person);
  const recovering = person.another();
  await post('/dashboard/sign-in', { email, password: secret('next password'), next: '' }, recovering);
  for (const code of [secret('wrong recovery code'), secret('recovery code 0')])
    await post('/dashboard/recovery', { recovery_code: code }, recovering);
  secrets.set('cookie of a recovery', recovering.secret);
  keepLink('reset token', (await post('/dashboard/reset', { email })).body);
  await post('/dashboard/new-password', { token: secret('reset token'), password: secret('next password') });
}

const post = (target: string, fields: object, browser = nobody) => browser.sendForm(target, target, fields);

function keepLink(name: string, body: string): string {
  secrets.set(name, LINK.exec(body)?.[2] ?? '');
  return secret(name);
}

async function sendDocument(person: PersonBrowser): Promise<void> {
  const { body } = await person.open(VERIFICATION);
  const form = new FormData();
  for (const name of ['csrf', 'form_id']) form.set(name, hiddenIn(body, name));
  form.set('kind', 'registration');
  form.set('file', new File([`%PDF-1.7 ${secret('document')}`], `${SHOWN}.pdf`));
  const { headers, body: bytes } = new Request('http://localhost/', { method: 'POST', body: form });
  const answer = await dashboard.instance.caller.send({
    method: 'POST',
    path: `${VERIFICATION}/documents`,
    headers: {
      'content-type': headers.get('content-type') ?? '',
      'sec-fetch-site': 'same-origin',
      accept: 'text/html',
      cookie: `__Host-qt_session=${person.secret}`,
    },
    body: await new Response(bytes).text(),
  });
  expect(answer.status).toBe(303);
}

/** Each row of the log and of all collections, as text. */
function storedRows(): readonly { readonly table: string; readonly text: string }[] {
  const { dataFolder } = dashboard.stage.core.config;
  const database = new DatabaseSync(path.join(dataFolder, EMBEDDED_FILE_NAME), { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return (tables as { readonly name: string }[]).flatMap(({ name }) =>
      (database.prepare(`select * from "${name}"`).all() as object[]).map(row => ({
        table: name,
        text: Object.values(row)
          .map(value => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
          .join(' '),
      })),
    );
  } finally {
    database.close();
  }
}

function hitsIn(place: string, text: string): readonly string[] {
  const found = [...secrets].filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)));
  return found.map(([name]) => `${name} in ${place}`);
}

describe('the secrets of people (ASVS 16.2.5)', () => {
  it('are all known to the test', () => {
    expect(secrets.size).toBe(6 + 6 + 20);
    expect([...secrets.values()].filter(value => value.length < 16)).toStrictEqual([]);
  });

  it('stand in no line of the log', () => {
    const { logged } = dashboard.stage;
    expect(logged.length).toBeGreaterThan(20);
    expect(logged.flatMap(line => hitsIn(line, line))).toStrictEqual([]);
  });

  it('stand in no event and in no document but the mails', () => {
    const rows = storedRows();
    expect(rows.some(({ text }) => text.includes(SHOWN))).toBe(true);
    const kept = rows.filter(({ table }) => !OF_MAILS.test(table));
    expect(kept.flatMap(({ table, text }) => hitsIn(table, text))).toStrictEqual([]);
    const mailed = rows.filter(({ table }) => OF_MAILS.test(table)).flatMap(({ table, text }) => hitsIn(table, text));
    expect(new Set(mailed.map(hit => hit.split(' in ')[0]))).toStrictEqual(new Set(['sign-up token', 'reset token']));
  });
});
