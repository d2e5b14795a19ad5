import 'reflect-metadata';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { executeCommand } from '../../src/cli/nest-commands';
import { operatorContext } from '../../src/cli/operator-context';
import { openToolbox, type Toolbox } from '../../src/cli/toolbox';
import { BeginKyb, SubmitKybCase } from '../../src/modules/kyb/commands/kyb-case.command';
import { AddKybDocument } from '../../src/modules/kyb/commands/kyb-documents.command';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { CliSession } from './cli-support';

const MERCHANT = 'mch_00000000000000000000000001';
const PDF = Buffer.from('%PDF-1.7 extract');
const PROJECTION_LIMIT_MS = 30_000;

jest.setTimeout(60_000);

let cli: CliSession;
let kybCase: string;

/** A merchant that has submitted its case. */
beforeAll(async () => {
  cli = new CliSession();
  await withToolbox(async toolbox => {
    await toolbox.secretBox.deriveKey('ids');
    const own = () => ({ ...operatorContext(toolbox), merchantId: MERCHANT });
    const register = { type: 'register', name: 'Shop', email: 'owner@example.com' } as const;
    await toolbox.writes.execute(merchants, MERCHANT, register, own());
    kybCase = await executeCommand(toolbox, new BeginKyb(own()));
    const document = { kind: 'registration', name: 'extract.pdf', bytes: PDF };
    await executeCommand(toolbox, new AddKybDocument(document, own()));
    const business = {
      legal_name: 'Tea House Ltd',
      country: 'GB',
      registration_number: '01234567',
      address: '1 Leaf Lane\nLondon',
      website: null,
    };
    const owners = [{ name: 'Ada Leaf', country: 'GB', share_bps: 2_550 }];
    await executeCommand(toolbox, new SubmitKybCase(business, owners, own()));
  });
});
afterAll(() => cli.end());

async function withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result> {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  try {
    return await work(toolbox);
  } finally {
    await toolbox.close();
  }
}

/** As the service does that runs beside the program. */
const follow = () =>
  withToolbox(async ({ store, documents, log, clock }) => {
    const runner = new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS });
    runner.start();
    const head = await store.lastPosition();
    for (const { name } of ALL_PROJECTIONS) await runner.waitFor(name, head, PROJECTION_LIMIT_MS);
    await runner.stop();
  });

it('lists a submitted case, shows it with its documents, and approves it once', async () => {
  await follow();
  expect(await cli.json('kyb', 'list')).toMatchObject({
    exitCode: 0,
    kyb_cases: [{ id: kybCase, merchant_id: MERCHANT, business: { legal_name: 'Tea House Ltd' } }],
  });
  expect((await cli.run(['kyb', 'list', '--status', 'rejected'])).out).toBe('No case is rejected.\n');
  const folder = join(cli.folder, 'case');
  const { out } = await cli.run(['kyb', 'show', kybCase, '--documents', folder]);
  const facts = [kybCase, 'submitted', 'Tea House Ltd, GB, 01234567', '1 Leaf Lane, London', 'Ada Leaf, GB, 25.5%'];
  for (const fact of [...facts, 'extract.pdf', `${PDF.length} bytes`]) expect(out).toContain(fact);
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file)).equals(PDF)).toBe(true);
  expect(await cli.json('kill-switch', 'list')).toMatchObject({
    kill_switches: [{ scope: 'merchant', subject: MERCHANT, mode: 'live', ground: 'kyb', reason: 'kyb' }],
  });
  const approved = await cli.json('kyb', 'approve', kybCase, '--note', 'As in the register.');
  expect(approved).toMatchObject({ exitCode: 0, status: 'approved', note: 'As in the register.' });
  expect((await cli.run(['kill-switch', 'list'])).out).toBe('No kill switch is set.\n');
  const again = await cli.run(['kyb', 'reject', kybCase, '--note', 'Too late.']);
  expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('kyb_case_already_decided: ')]);
  const unknown = await cli.run(['kyb', 'show', 'kyb_none']);
  expect([unknown.exitCode, unknown.err]).toEqual([1, expect.stringContaining('kyb_case_not_found: ')]);
});

it('sets, lists and lifts a kill switch, and says what is left', async () => {
  const reason = ['--reason', 'The network stands still.'];
  expect(await cli.json('kill-switch', 'set', 'network', 'tron', ...reason)).toEqual({
    exitCode: 0,
    scope: 'network',
    subject: 'tron',
    mode: 'live',
    ground: 'operator',
    reason: 'The network stands still.',
  });
  await cli.json('kill-switch', 'set', 'network', 'tron', '--mode', 'test', ...reason);
  await follow();
  const { out } = await cli.run(['kill-switch', 'list']);
  expect(out.split('\n').filter(line => line.startsWith('network  tron'))).toHaveLength(2);
  const lifted = await cli.json('kill-switch', 'lift', 'network', 'tron', '--reason', 'It goes on.');
  expect(lifted).toMatchObject({ exitCode: 0, mode: 'live', was_set: true, stops: [] });
  const again = await cli.json('kill-switch', 'lift', 'network', 'tron', '--reason', 'It goes on.');
  expect(again).toMatchObject({ exitCode: 0, was_set: false });
  const wrong = await cli.run(['kill-switch', 'set', 'merchant', 'tron', ...reason]);
  expect([wrong.exitCode, wrong.err]).toEqual([1, expect.stringContaining('invalid_killswitch_subject: ')]);
});

it('records the operator as the one who decided', async () => {
  const streams = [`kyb_case-${kybCase}`, `kill_switch-merchant:${MERCHANT}`, 'kill_switch-network:tron'];
  await withToolbox(async ({ store }) => {
    for (const stream of streams) {
      const [newest] = (await store.readStream(`platform.${stream}`)).slice(-1);
      expect([stream, newest?.metadata.actor]).toEqual([stream, { role: 'admin', type: 'system', id: 'cli:alice' }]);
    }
  });
});

it('closes an account', async () => {
  const closed = await cli.json('merchant', 'close', MERCHANT, '--reason', 'asked for');
  expect(closed).toEqual({ exitCode: 0, merchant_id: MERCHANT, status: 'closed', reason: 'asked for' });
  const unknown = await cli.run(['merchant', 'close', 'mch_none', '--reason', 'asked for']);
  expect([unknown.exitCode, unknown.err]).toEqual([1, expect.stringContaining('merchant_not_found: ')]);
});
