import { ModulesContainer } from '@nestjs/core';
import { adminRoutesOf } from '../../../src/platform/http/openapi-routes';
import { ConsoleStage, type AdminBrowser } from '../console-stage';
import { refusalsOf } from '../refusals';
import { CONSOLE_PAGES, lookers } from './console-pages';
import { act, stagedConsole, type StagedConsole } from './staged-console';

const LIMIT_MS = 60_000;
/** Objects that the staged console has none of. */
const NOT_STAGED = ['/{document}', '/deferred_transfers/{id}', '/coverage_holes/{id}'];

let stage: ConsoleStage;
let staged: StagedConsole;
let owner: AdminBrowser;

beforeAll(async () => {
  stage = await ConsoleStage.open();
  staged = await stagedConsole(stage);
  owner = await stage.admin('owner');
}, LIMIT_MS);
afterAll(() => stage.close());

it(
  'shows each page to its reader',
  async () => {
    const paths: (readonly [path: string, as: string])[] = [];
    for (const { at, as = 'owner' } of CONSOLE_PAGES)
      paths.push([typeof at === 'string' ? at : await at(staged, stage), as]);
    const readers: Readonly<Record<string, AdminBrowser | null>> = await lookers(stage);
    const refused: string[] = [];
    for (const [path, as] of paths) {
      const reply = await (readers[as] ?? owner.another()).open(path);
      refused.push(...refusalsOf(path, reply));
      if (reply.status === 303) refused.push(`${path} leads to ${reply.headers.location}`);
    }
    expect(refused).toEqual([]);
  },
  LIMIT_MS,
);

it(
  'answers each reading of the administrators’ API',
  async () => {
    const objects: Readonly<Record<string, string>> = {
      ...{ kyb_cases: staged.kybCase, holds: staged.hold, reviews: staged.review, claims: staged.claim },
      ...{ unmatched_transfers: staged.transfer, merchants: staged.merchant.id, approvals: staged.approval },
      ...{ invoices: staged.feeInvoice, admins: owner.id, kill_switches: 'network:tron' },
      ...{ streams: `platform.kyb_case-${staged.kybCase}`, groups: 'audit' },
    };
    const routes = adminRoutesOf(stage.instance.app.get(ModulesContainer));
    const isHere = (path: string): boolean => !NOT_STAGED.some(part => path.includes(part));
    const open = routes.filter(({ method, path }) => method === 'get' && isHere(path));
    const refused: string[] = [];
    for (const { path } of open) {
      const named = path
        .replace('{mode}/{network}', 'test/base')
        .replace(/([a-z_]+)\/\{\w+\}/, (_, list: string) => `${list}/${objects[list] ?? 'none'}`);
      refused.push(...refusalsOf(path, await owner.open(named)));
    }
    expect(open.length).toBeGreaterThan(30);
    expect(refused).toEqual([]);
  },
  LIMIT_MS,
);

it('lifts a limit, and signs an administrator out', async () => {
  expect(await act(owner, 'lift-velocity-limit', { target: 'merchant', reason: 'A drill.' })).toBe('/console/controls');
  const browser = owner.another();
  await browser.signIn();
  const { status, headers } = await browser.sendForm('/console/security', '/console/sign-out');
  expect([status, headers.location]).toStrictEqual([303, '/console/sign-in']);
  expect((await browser.open('/console/security')).status).toBe(303);
});
