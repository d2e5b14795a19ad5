import type { ComponentChild } from 'preact';
import { pageText } from '../../web/http/page-sender';
import { AsOf } from '../../web/parts/as-of';
import { Bars } from '../../web/parts/bars';
import { Candidates } from '../../web/parts/candidates';
import { Json } from '../../web/parts/code';
import { Confirm } from '../../web/parts/confirm';
import type { DashboardFacts } from '../../web/parts/dashboard-context';
import { DashboardPage } from '../../web/parts/dashboard-page';
import { DataTable } from '../../web/parts/data-table';
import { Diff } from '../../web/parts/diff';
import { CheckField, ChoiceField, PasswordField, SelectField, TextAreaField, TextField } from '../../web/parts/fields';
import { Empty, Filters, Pager, Tabs } from '../../web/parts/list-parts';
import { Secret } from '../../web/parts/secret';
import type { FormFault } from '../../web/parts/signed-context';
import { SignedForm, Submit } from '../../web/parts/signed-form';
import { StatusBadge } from '../../web/parts/status-badge';
import { StepList } from '../../web/parts/step-list';
import { TimeOf } from '../../web/parts/time-of';
import { Timeline } from '../../web/parts/timeline';
import { NAVIGATION } from '../../web/dashboard/navigation';
import { withinDashboard } from './dashboard/rendered-dashboard';
import { factsIn } from './page-facts';

const READER = {
  name: 'Ada',
  email: 'ada@shop.example',
  role: 'owner',
  merchantName: 'Corner Shop',
  mode: 'test',
  nowMs: 0,
  timeZone: 'Asia/Kathmandu',
  account: { isClosed: false, pause: null },
} as const;
const FACTS: DashboardFacts = {
  reader: READER,
  mode: 'test',
  modes: ['live', 'test'],
  nav: NAVIGATION,
};
const EVIL = '<script>alert(1)</script>';
const OPTIONS = [
  { value: 'a', text: 'A' },
  { value: 'b', text: 'B' },
];

const render = (part: ComponentChild, changes: Partial<DashboardFacts> = {}, fault: FormFault | null = null): string =>
  pageText(factsIn('en'), withinDashboard(part, { ...FACTS, ...changes }, { fault, formId: 'f'.repeat(32) }));
const faultOf = (changes: Partial<FormFault>): FormFault => ({
  ...{ action: '/dashboard/test/a', code: 'parameter_invalid', param: 'name', text: 'Not so.', typed: {} },
  ...changes,
});

test.each<[string, ComponentChild, RegExp]>([
  ['a known state', <StatusBadge status="awaiting_payment" />, /class="badge warn">Awaiting payment</],
  ['a state that is not known yet', <StatusBadge status="new_state" />, /class="badge idle">New state</],
  [
    'a row that leads to its object',
    <DataTable
      name="T"
      columns={[{ heading: 'A', isNumber: true }]}
      rows={[{ key: '1', href: '/x', cells: [EVIL] }]}
    />,
    /<th scope="row" class="number"><a class="row-link" href="\/x">&lt;script>/,
  ],
  [
    'a filter that may be left empty',
    <Filters action="/l">
      <TextField name="q" label="Id" />
    </Filters>,
    /<form method="get" action="\/l"[^>]*data-asks.*name="q" type="text"/,
  ],
  [
    'the way to older objects, with the filter',
    <Pager action="/l" query={{ status: 'paid' }} next="pi_9" isFirst={false} shown={25} />,
    /href="\/l\?status=paid">Newest<.*href="\/l\?status=paid&amp;starting_after=pi_9">Older/,
  ],
  [
    'the current tab',
    <Tabs label="Kinds" tabs={[{ text: 'All', href: '/l', isCurrent: true, count: 3 }]} />,
    /aria-current="page">All<span class="count">3</,
  ],
  ['an empty list', <Empty icon="link" title="No link yet" />, /class="title">No link yet</],
  [
    'a step with its evidence',
    <Timeline
      label="Steps"
      steps={[
        { id: 'e1', icon: 'eye', tone: 'info', title: EVIL, time: '1', source: 'event 1', evidence: [['hash', EVIL]] },
      ]}
    />,
    /<details id="e1"><summary>Evidence: event 1<.*<dd>&lt;script>/,
  ],
  [
    'a step that is yet to come, without its evidence',
    <Timeline
      label="Steps"
      steps={[{ id: 'e1', icon: 'eye', tone: 'info', title: 'T', time: '1', source: 'event 1', isLater: true }]}
    />,
    /<li class="later">(?!.*<details id="e1")/,
  ],
  [
    'bars beside the same in a table',
    <Bars
      label="Takings"
      headings={['Day', 'Sum']}
      bars={[
        { label: 'Mon', value: 10n ** 30n, text: 'much', mark: 'First' },
        { label: 'Tue', value: 1n, text: 'little' },
      ]}
    />,
    /height="64"[^>]*><title>Mon: much.*<rect[^>]*height="2"[^>]*><title>Tue: little.*>First<.*<th scope="row">Tue<\/th><td>little/,
  ],
  [
    'an earlier moment',
    <AsOf action="/p" at={2} newest={6} text="event 2 of 6" />,
    /class="card as-of past.*max="6"[^>]*value="2".*<a href="\/p">Now/,
  ],
  [
    'a difference',
    <Diff label="D" changes={[{ name: 'status', before: 'a', after: 'b' }]} />,
    /<del>a<\/del> <ins>b<\/ins>/,
  ],
  ['a secret', <Secret label="API key" texts={['sk_1']} />, /shown this once.*<code>sk_1<.*data-copy="sk_1"/],
  [
    'a question before a risky step',
    <Confirm id="c" action="/dashboard/test/a" button="Cancel" text="Ends it." asksCode />,
    /<summary class="button danger">Cancel<.*Ends it\..*autocomplete="one-time-code".*<button type="submit"/,
  ],
  [
    'likely objects',
    <Candidates label="C" candidates={[{ id: '1', name: 'P', score: 90, reasons: ['same amount'], action: 'x' }]} />,
    /fits by 90%<.*same amount/,
  ],
  [
    'steps on the way',
    <StepList
      label="S"
      steps={[
        { title: 'A', state: 'done' },
        { title: 'B', state: 'now' },
      ]}
    />,
    /class="done".*\(done\).*class="now" aria-current="step"/,
  ],
  ['a moment in the merchant’s time zone', <TimeOf at="2026-01-01T00:00:00.000Z" />, /1 Jan 2026, 05:45/],
])('%s is shown', (_, part, shown) => {
  const html = render(part);
  expect(html).toMatch(shown);
  expect(html).not.toContain(EVIL);
  expect(html).not.toMatch(/\sstyle=|\son[a-z]+=/);
});

const fields = (
  <SignedForm action="/dashboard/test/a">
    <TextField name="name" label="Name" value="before" />
    <TextAreaField name="note" label="Note" />
    <SelectField name="kind" label="Kind" options={OPTIONS} value="a" />
    <ChoiceField name="way" label="Way" options={OPTIONS} value="a" />
    <CheckField name="tick" label="Tick" isTicked />
    <PasswordField name="password" label="Password" />
    <Submit>Go</Submit>
  </SignedForm>
);

test('a form has its id, its token, and its first values', () => {
  const html = render(fields);
  expect(html).toMatch(/name="csrf" value="token" data-fresh.*name="form_id" value="f{32}" data-fresh/);
  expect(html).toMatch(/value="before".*<option value="a" selected.*value="a" checked.*type="checkbox" checked/);
  expect(html).not.toMatch(/aria-invalid|role="alert"/);
});

test('a refused form keeps what was typed, and leads to the field that is wrong', () => {
  const typed = { name: EVIL, note: 'N', kind: 'b', way: 'b', password: 'secret' };
  const html = render(fields, {}, faultOf({ typed }));
  expect(html).toMatch(/role="alert"><a href="#test-a-name">Not so\.</);
  expect(html).toMatch(
    /id="test-a-name" name="name" required aria-invalid="true" aria-describedby="test-a-name-fault"/,
  );
  expect(html).toMatch(/value="&lt;script>.*>N<\/textarea>.*<option value="b" selected.*value="b" checked/);
  expect(html).not.toMatch(/type="checkbox" checked|value="secret"/);
});

test('another form’s refusal is none of this one’s', () => {
  const html = render(fields, {}, faultOf({ action: '/dashboard/test/b', typed: { name: 'x' } }));
  expect(html).toContain('value="before"');
  expect(html).not.toMatch(/aria-invalid|role="alert"/);
});

test('a text in JSON neither breaks its line nor turns the rest of it', () => {
  const html = render(<Json label="Body" value={{ note: 'Seen.\u2028  amount: 1\u202e', ok: 'Käse, \u0645' }} />);
  expect(html).toContain('&quot;Seen.\\u2028  amount: 1\\u202e&quot;');
  expect(html).toContain('&quot;Käse, \u0645&quot;');
});

describe('the frame of a page', () => {
  const page = (
    <DashboardPage title="Payments" current="payments">
      x
    </DashboardPage>
  );

  test('has the way to each page that the role may see, and marks the present one', () => {
    const html = render(page);
    expect(html).toMatch(/href="\/dashboard\/test\/payments" aria-current="page"/);
    expect(html).toContain('/dashboard/test/simulate');
    expect(render(page, { reader: { ...READER, role: 'viewer' } })).not.toMatch(/simulate|test\/kyb|outbox|exports/);
  });

  test('tells the mode by its bar, its title and its switch', () => {
    expect(render(page)).toMatch(/Payments – Test mode – Quittance.*class="mode-bar".*class="test"[^>]*aria-current/);
    const live = render(page, { mode: 'live' });
    expect(live).not.toMatch(/mode-bar|live\/simulate/);
    expect(live).toMatch(/class="live"[^>]*aria-current/);
  });
});
