import { textOfPdf } from '../pdf-text';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { textIn } from './rendered-dashboard';
import { stagedDays, stagedFees, stagedMail } from './staged-business';

const LIMIT_MS = 60_000;
const HOME = '/dashboard/test';

let dashboard: DashboardStage;
let owner: PersonBrowser;
let stranger: PersonBrowser;
let viewer: PersonBrowser;
let wallet: string;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  stranger = await dashboard.stranger();
  // The wallet comes first: an account of several people has to name one for a code.
  wallet = await stagedDays(dashboard);
  viewer = await dashboard.invited('viewer');
}, LIMIT_MS);
afterAll(() => dashboard.close());

const textAt = async (path: string, person = owner) => textIn((await person.open(`${HOME}/${path}`)).body);

describe('fees', () => {
  it('have their rows, what is outstanding, and their invoices', async () => {
    const id = await stagedFees(dashboard);
    const ledger = await textAt('fees', viewer);
    expect(ledger).toContain('Not invoiced yet EUR €0.12');
    expect(ledger).toContain('€0.12 Accrual');
    const list = await owner.open(`${HOME}/fees/invoices`);
    expect(list.body).toContain(`href="${HOME}/fees/invoices/${id}"`);
    expect(await textAt(`fees/invoices/${id}`, viewer)).toContain('FEE-C6W1P0RA-000001');
  });

  it('are told apart where there are none, and by their pages', async () => {
    expect(await textAt('fees', stranger)).toContain('No fees yet');
    expect(await textAt('fees', stranger)).toContain('Nothing is outstanding.');
    expect(await textAt('fees/invoices', stranger)).toContain('Test mode has no fee invoices');
    await stagedFees(dashboard);
    const { body } = await owner.open(`${HOME}/fees?limit=1`);
    const [, older = ''] = /href="([^"]*starting_after=[^"]*)"/.exec(body) ?? [];
    expect(textIn((await owner.open(older.replaceAll('&amp;', '&'))).body)).toContain('Newest');
    expect((await owner.open(`${HOME}/fees?starting_after=fee_1`)).status).toBe(400);
  });
});

describe('books', () => {
  it('name each difference of a day, by wallet and day', async () => {
    const all = await textAt('books', viewer);
    for (const words of ['Pending', 'Balanced', 'Different', '31 Oct 2026', 'On the chain, and unknown here'])
      expect(all).toContain(words);
    expect(all).toMatch(/31 Oct 2026, USDC on Base Different \S+ , 0x/);
    expect(all).not.toContain(`Different ${wallet}`);
    const one = await textAt(`books?wallet=${wallet}&from=2026-10-30&to=2026-10-30`);
    expect([one.includes('30 Oct 2026'), one.includes('31 Oct 2026')]).toStrictEqual([true, false]);
  });

  it('tell an empty list from an empty filter, and what is wrong with one', async () => {
    expect(await textAt('books', stranger)).toContain('No day is closed yet');
    expect(await textAt('books?from=2027-01-01')).toContain('No day passes these filters');
  });

  it('have the wallets of the merchant to choose from', async () => {
    const { body } = await owner.open(`${HOME}/books?wallet=${wallet}`);
    expect(body).toMatch(/<option value="wal_\w+" selected>Till, Base, 0x\w{4}…\w{6}<\/option>/);
    expect((await stranger.open(`${HOME}/books`)).body).not.toContain('<option value="wal_');
  });

  it.each([
    ['wallet=mine', 'Wallet: Choose one of those that the page offers.'],
    [`wallet=wal_${'1'.repeat(26)}`, 'Wallet: Choose one of those that the page offers.'],
    ['to=2026-02-30', 'To: Choose a day of the calendar, such as 2026-11-21.'],
    ['from=2026-10-31&to=2026-10-30', 'From: The range ends before it starts.'],
  ])('tell on the page what is wrong with %s', async (query, words) => {
    const { status, body } = await owner.open(`${HOME}/books?${query}`);
    expect([status, textIn(body)]).toStrictEqual([200, expect.stringContaining(words)]);
    for (const useful of [`<option value="${wallet}">`, 'name="month"']) expect(body).toContain(useful);
  });

  it('answer for another merchant’s wallet as for none', async () => {
    const shown = (id: string) => textAt(`books?wallet=${id}`, stranger);
    expect(await shown(wallet)).toBe(await shown(`wal_${'1'.repeat(26)}`));
  });

  it('have the statement of a month as a PDF, of one merchant alone', async () => {
    const of = async (person: PersonBrowser, month: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${dashboard.instance.port}${HOME}/books/statement?month=${month}`, {
        headers: { cookie: `__Host-qt_session=${person.secret}` },
      });
    const answer = await of(viewer, '2026-10');
    expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'application/pdf']);
    expect(answer.headers.get('content-disposition')).toBe('inline; filename="statement-test-2026-10.pdf"');
    const text = textOfPdf(Buffer.from(await answer.arrayBuffer()));
    for (const words of [`Wallet ${wallet}`, 'Days: 2, that differ: 1']) expect(text).toContain(words);
    const none = textOfPdf(Buffer.from(await (await of(stranger, '2026-10')).arrayBuffer()));
    expect(none).toContain('No wallet has a day of this month.');
    const refused = textIn((await owner.open(`${HOME}/books/statement?month=2026-13`)).body);
    for (const words of ['Month: A month is written such as 2026-11.', '31 Oct 2026']) expect(refused).toContain(words);
  });
});

describe('mails', () => {
  it('of the account are listed, and read as text', async () => {
    const id = await stagedMail(dashboard);
    const list = await owner.open(`${HOME}/outbox`);
    expect(list.body).toContain(`href="${HOME}/outbox/${id}"`);
    const mail = await textAt(`outbox/${id}`);
    for (const words of ['Queued', owner.email, 'You can sign in']) expect(mail).toContain(words);
    expect((await owner.open(`${HOME}/outbox?starting_after=none`)).status).toBe(400);
  });

  it('are the owner’s to read', async () => {
    const id = await stagedMail(dashboard);
    for (const path of ['outbox', `outbox/${id}`]) expect((await viewer.open(`${HOME}/${path}`)).status).toBe(403);
    expect((await viewer.open(`${HOME}/fees`)).body).not.toContain(`href="${HOME}/outbox"`);
  });
});
