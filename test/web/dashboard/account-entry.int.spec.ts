import { KYB_DOCUMENT_BYTES } from '../../../src/modules/kyb/kyb-document-facts';
import type { Reply } from '../../support/http-caller';
import { titleOf } from '../customer-browser';
import { DashboardStage, PersonBrowser } from '../dashboard-stage';
import { beginKyb, CASE, decideKyb, firstDocument, PDF, upload, VERIFICATION } from './account-stage';

const LIMIT_MS = 60_000;
const PASSWORD = 'plum harbour 47 lanterns';
const LINK = /href="https?:\/\/[^"/]+(\/dashboard\/[\w-]+)\?token=([\w-]+)"/;
const PAUSED = 'Live mode takes no new payments.';

let dashboard: DashboardStage;
let owner: PersonBrowser;
let nobody: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  nobody = owner.another();
}, LIMIT_MS);
afterAll(() => dashboard.close());

const linkIn = (body: string): readonly [path: string, token: string] => {
  const [, path = '', token = ''] = LINK.exec(body) ?? [];
  return [path, token];
};
const send = (path: string, fields: object) => nobody.sendForm(path, path, fields);

it('opens an account by a mailed link, step by step', async () => {
  const email = 'new@shop.example';
  const sent = await send('/dashboard/sign-up', { business: 'New Shop', name: 'Nora', email });
  expect([sent.status, titleOf(sent)]).toStrictEqual([200, 'Look in your mail']);
  const [path, token] = linkIn(sent.body);
  expect(path).toBe('/dashboard/open-account');
  for (let looks = 0; looks < 2; looks++) expect((await nobody.open(`${path}?token=${token}`)).status).toBe(200);
  const weak = await send(path, { token, password: 'short' });
  expect(weak.status).toBe(400);
  expect(weak.body).toContain(`value="${token}"`);
  const opened = await send(path, { token, password: PASSWORD });
  expect([opened.status, opened.headers.location]).toStrictEqual([303, '/dashboard/sign-in?ended=opened']);
  const dead = await send(path, { token, password: PASSWORD });
  expect([dead.status, dead.body.includes('href="/dashboard/sign-up"'), dead.body.includes('<form')]).toEqual([
    400,
    true,
    false,
  ]);

  const opener = new PersonBrowser(dashboard.instance, dashboard.merchant, email);
  expect((await opener.startSignIn()).headers.location).toBe('/dashboard/enrol');
  expect((await opener.open('/dashboard/test')).headers.location).toBe('/dashboard/enrol');
  const { offer, answer } = await opener.enrol(dashboard.stage.clock);
  expect(offer.headers['content-encoding']).toBeUndefined();
  expect(answer.body.match(/<code>/g)).toHaveLength(10);
  expect((await opener.open('/dashboard/test')).body).toContain('New Shop');
  // A new account is verified before live mode takes its payments.
  expect((await opener.open('/dashboard/live')).body).toContain('Live mode takes no new payments.');
  expect((await opener.open('/dashboard/live/verification')).body).toContain('Three steps to live payments');
});

it('says the same of an address that has an account', async () => {
  const fields = { business: 'Other', name: 'Olaf', email: owner.email };
  const answer = await send('/dashboard/sign-up', fields);
  expect([answer.status, titleOf(answer)]).toStrictEqual([200, 'Look in your mail']);
  expect(linkIn(answer.body)[0]).not.toBe('/dashboard/open-account');
});

it('sets a new password by a mailed link, and signs all devices out', async () => {
  const lost = await dashboard.stranger('forgetful');
  const sent = await send('/dashboard/reset', { email: lost.email });
  const [path, token] = linkIn(sent.body);
  const answer = await send(path, { token, password: 'quartz violin 93 meadows' });
  expect([answer.status, answer.headers.location]).toStrictEqual([303, '/dashboard/sign-in?ended=renewed']);
  expect((await lost.open('/dashboard/test')).status).toBe(303);
});

it('lets an invited viewer see, and change nothing', async () => {
  const viewer = await dashboard.invited('viewer');
  expect((await viewer.open('/dashboard/test')).status).toBe(200);
  const forbidden = await viewer.open('/dashboard/requests/req_00000000000000000000000000/open');
  expect([forbidden.status, titleOf(forbidden)]).toStrictEqual([403, 'This is not for your role']);
  const allowed = await owner.open('/dashboard/requests/req_00000000000000000000000000/open');
  expect(allowed.status).toBe(404);
});

it.each(['%00', '%0d%0aset-cookie:a=b', '%F0%9F%92%A9', '%2e%2e%2f%2e%2e%2fdocs'])(
  'leads a browser from the address of a request %s to that very address, whatever its text is',
  async id => {
    const { headers } = await owner.open(`/dashboard/requests/${id}`);
    expect(decodeURIComponent(headers.location ?? '')).toBe(`/dashboard/requests/${decodeURIComponent(id)}/open`);
    expect(headers.location).toMatch(/^\/dashboard\/requests\/[\w.%~-]+\/open$/);
    expect((await owner.open(headers.location ?? '')).status).toBe(404);
  },
);

describe('verification', () => {
  let kybCase: string;

  const submit = (fields: object = {}) =>
    owner.sendForm(VERIFICATION, `${VERIFICATION}/submit`, { ...CASE, ...fields });
  const faultOf = ({ body }: Reply) => /role="alert">(?:<a href="#([^"]*)">)?([^<]*)/.exec(body)?.slice(1);

  it('is not asked of an account that the operator has opened', async () => {
    const { body } = await owner.open(VERIFICATION);
    expect(body).toContain('This account needs no verification');
    expect((await owner.open('/dashboard/live')).body).not.toContain(PAUSED);
    expect((await owner.sendForm(VERIFICATION, `${VERIFICATION}/open`)).status).toBe(404);
    expect((await upload(owner, { name: 'a.pdf', bytes: PDF })).status).toBe(404);
  });

  it('is named on each page of live mode while it is open, with the way to it', async () => {
    kybCase = await beginKyb(dashboard, owner);
    for (const path of ['', '/security', '/settings']) {
      const { body } = await owner.open(`/dashboard/live${path}`);
      expect(body).toContain(PAUSED);
      expect(body).toContain('href="/dashboard/live/verification"');
    }
    expect((await owner.open('/dashboard/test')).body).not.toContain('takes no new payments');
  });

  describe('documents', () => {
    it('are added, saved as they were sent, and removed', async () => {
      const answer = await upload(owner, { name: 'Übersicht (1).pdf', bytes: PDF, kind: 'registration' });
      expect([answer.status, answer.headers.location]).toEqual([303, VERIFICATION]);
      const id = await firstDocument(owner);
      const saved = await owner.open(`${VERIFICATION}/documents/${id}`);
      expect([saved.status, saved.body]).toEqual([200, PDF.toString()]);
      expect(saved.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="_bersicht (1).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf`,
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect((await owner.sendForm(VERIFICATION, `${VERIFICATION}/documents/${id}/remove`)).status).toBe(303);
      expect(await firstDocument(owner)).toBe('');
      expect((await owner.open(`${VERIFICATION}/documents/${id}`)).status).toBe(404);
    });

    it('are added once for two clicks', async () => {
      const { body } = await owner.open(VERIFICATION);
      const formId = /name="form_id" value="([^"]*)"/.exec(body)?.[1] ?? '';
      const twice = await Promise.all([0, 1].map(() => upload(owner, { name: 'a.pdf', bytes: PDF, formId })));
      expect(twice.map(({ status }) => status)).toEqual([303, 303]);
      expect((await owner.open(VERIFICATION)).body.match(/documents\/kdoc_\w+\/remove/g)).toHaveLength(1);
    });

    it.each([
      ['text', { bytes: Buffer.from('<script>alert(1)</script>') }, 415],
      ['another kind', { kind: 'song' }, 400],
      ['nothing', { bytes: Buffer.alloc(0) }, 400],
      ['too much', { bytes: Buffer.concat([PDF, Buffer.alloc(KYB_DOCUMENT_BYTES)]) }, 413],
      ['nothing at all', { bytes: Buffer.alloc(0), name: '' }, 400],
      ['another session’s', { csrf: 'A'.repeat(86) }, 403],
    ])('are no %s', async (_, changes, status) => {
      const answer = await upload(owner, { name: 'b.pdf', bytes: PDF, ...changes });
      expect(answer.status).toBe(status);
      expect((await owner.open(VERIFICATION)).body.match(/documents\/kdoc_\w+\/remove/g)).toHaveLength(1);
    });
  });

  it.each([
    ['is too large', Buffer.concat([PDF, Buffer.alloc(KYB_DOCUMENT_BYTES)]), 413, 'This file is larger than 10 MB.'],
    ['is not chosen', Buffer.alloc(0), 400, 'Fill in this field.'],
  ])('shows the form again where the file %s, with what was chosen', async (_, bytes, status, words) => {
    const answer = await upload(owner, { name: 'b.pdf', bytes, kind: 'address' });
    expect(answer.status).toBe(status);
    expect(faultOf(answer)).toEqual(['verification-documents-file', words]);
    expect(answer.body).toMatch(/<option value="address" selected/);
    expect(answer.body).toMatch(/id="verification-documents-file"[^>]*aria-invalid="true"/);
  });

  it('shows no form to another session, however large its file is', async () => {
    const bytes = Buffer.alloc(KYB_DOCUMENT_BYTES + 1);
    const answer = await upload(owner, { name: 'b.pdf', bytes, csrf: 'A'.repeat(86) });
    expect([answer.status, answer.body.includes('Add the document')]).toEqual([403, false]);
  });

  describe('submitting', () => {
    it.each([
      [{ 'business[legal_name]': ' ' }, 'business-legal_name-', 'Fill in this field.'],
      [{ 'business[country]': '' }, 'business-country-', 'Fill in this field.'],
      [{ 'business[website]': 'ftp://a.example' }, 'business-website-', 'A website has'],
      [{ 'owners[0][share_bps]': '0' }, 'owners-0--share_bps-', 'A share goes'],
      [{ 'owners[0][name]': '', 'owners[0][share_bps]': '' }, 'owners', 'Fill in this field.'],
      [{ 'owners[4][name]': 'Bo', 'owners[4][share_bps]': '10' }, 'owners-4--country-', 'Fill in this field.'],
      [
        { 'owners[3][name]': 'Bo', 'owners[3][country]': 'FR', 'owners[3][share_bps]': '40,01' },
        'owners',
        'The shares come to more than the whole business.',
      ],
    ])('is refused at the field, and keeps what was typed: %o', async (fields, field, text) => {
      const answer = await submit(fields);
      expect(answer.status).toBe(400);
      expect(faultOf(answer)).toEqual([`verification-submit-${field}`, expect.stringContaining(text)]);
      expect(answer.body).toContain(`id="verification-submit-${field}"`);
      expect(answer.body).toContain('552 100 554');
    });

    it('asks for a document first', async () => {
      const id = await firstDocument(owner);
      await owner.sendForm(VERIFICATION, `${VERIFICATION}/documents/${id}/remove`);
      const answer = await submit();
      expect(answer.status).toBe(400);
      expect(faultOf(answer)).toEqual(['verification-submit-documents', 'Add at least one document first.']);
      await upload(owner, { name: 'extract.pdf', bytes: PDF });
    });

    it('hands the case in, which then stays as it is', async () => {
      const answer = await submit();
      expect([answer.status, answer.headers.location]).toEqual([303, VERIFICATION]);
      const { body } = await owner.open(VERIFICATION);
      expect(body).toMatch(/Under review[^]*Corner Shop SARL[^]*France[^]*Ada Vale[^]*United Kingdom[^]*60%/);
      expect(body).not.toMatch(/action="[^"]*verification/);
      expect((await submit()).status).toBe(409);
      expect((await owner.open(`${VERIFICATION}/documents/${await firstDocument(owner)}`)).status).toBe(200);
    });
  });

  describe('a decision', () => {
    it('that rejects shows its note, and another case can be opened', async () => {
      await decideKyb(dashboard, kybCase, 'reject', 'The extract\nis too old.');
      const { body } = await owner.open(VERIFICATION);
      expect(body).toMatch(/The last verification was rejected\.[^]*The extract\nis too old\./);
      expect((await owner.sendForm(VERIFICATION, `${VERIFICATION}/open`)).status).toBe(303);
      expect((await owner.open(VERIFICATION)).body).toMatch(/The extract\nis too old\.[^]*Three steps/);
      expect((await owner.open('/dashboard/live')).body).toContain(PAUSED);
      expect((await owner.open('/dashboard')).headers.location).toBe('/dashboard/test');
    });

    it('that approves lets live mode take payments', async () => {
      await upload(owner, { name: 'new extract.pdf', bytes: PDF });
      expect((await submit()).status).toBe(303);
      await decideKyb(dashboard, await beginKyb(dashboard, owner), 'approve', 'As in the register.');
      expect((await owner.open(VERIFICATION)).body).toContain('Your business is verified');
      expect((await owner.open('/dashboard/live')).body).not.toContain(PAUSED);
      expect((await owner.open('/dashboard')).headers.location).toBe('/dashboard/live');
    });
  });

  it('is seen and asked for by owners alone', async () => {
    const person = await dashboard.invited('finance');
    expect((await person.open(VERIFICATION)).status).toBe(403);
    for (const [path, fields] of [
      ['open', {}],
      ['submit', CASE],
      ['documents/kdoc_1/remove', {}],
    ] as const)
      expect((await person.sendForm('/dashboard/test/security', `${VERIFICATION}/${path}`, fields)).status).toBe(403);
    expect((await upload(person, { name: 'a.pdf', bytes: PDF })).status).toBe(403);
    expect((await person.open(`${VERIFICATION}/documents/kdoc_1`)).status).toBe(403);
  });
});
