import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { CATEGORIES } from '../../src/composition/aggregates';
import { openToolbox } from '../../src/cli/toolbox';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';
import { CliSession } from './cli-support';

let cli: CliSession;
beforeAll(() => (cli = new CliSession()));
afterAll(() => cli.end());

type Registered = {
  readonly merchant_id: string;
  readonly user_id: string;
  readonly totp_secret: string;
  readonly keys: { readonly test: string; readonly live: string };
};
type Replayed = {
  readonly chain_intact: boolean;
  readonly events: readonly {
    readonly type: string;
    readonly actor: { readonly role: string };
    readonly recorded_at: string;
    readonly changes: readonly object[];
  }[];
  readonly state: object | null;
};
type Verified = { readonly projections: readonly { readonly projection: string; readonly equal: boolean }[] };

const password = 'seven green lanterns at dusk';
let merchant: Registered;

/** A running service's work beside the program: it follows the log to the end. */
async function serve(): Promise<void> {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const runner = new ProjectionRunner({ ...toolbox, projections: ALL_PROJECTIONS });
  runner.start();
  const head = await toolbox.store.lastPosition();
  await Promise.all(ALL_PROJECTIONS.map(({ name }) => runner.waitFor(name, head, 10_000)));
  await runner.stop();
  await toolbox.close();
}

describe('merchant create', () => {
  it('registers a merchant and prints what is shown once', async () => {
    const created = await cli.json<Registered>(
      'merchant',
      'create',
      '--name',
      'Corner Shop',
      '--email',
      'a@example.com',
      '--password',
      password,
    );
    expect(created).toStrictEqual({
      exitCode: 0,
      merchant_id: expect.stringMatching(/^mch_/),
      user_id: expect.stringMatching(/^usr_/),
      totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      keys: { test: expect.stringMatching(/^sk_test_/), live: expect.stringMatching(/^sk_live_/) },
    });
    merchant = created;
  });

  it('takes the password from standard input, so that no list of processes shows it', async () => {
    const args = ['merchant', 'create', '--name', 'Other Shop', '--email', 'b@example.com'];
    const { exitCode, out } = await cli.run(args, password);
    expect(exitCode).toBe(0);
    expect(out).toContain('The TOTP secret and the keys are not shown again.');
    expect(out).not.toContain(password);
  });

  it('refuses what the service would refuse, with its code', async () => {
    const again = ['merchant', 'create', '--name', 'Thief', '--email', 'A@example.com', '--password', password];
    const { exitCode, out, err } = await cli.run([...again, '--json']);
    expect({ exitCode, out }).toStrictEqual({ exitCode: 1, out: '' });
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'parameter_invalid', param: 'email' } });
  });
});

describe('replay', () => {
  it('prints a history and what it came to, and says that the chain holds', async () => {
    const replayed = await cli.json<Replayed>('replay', `platform.merchant-${merchant.merchant_id}`);
    expect(replayed).toMatchObject({ exitCode: 0, chain_intact: true, broken_at: null, as_of: null });
    expect(replayed.events.map(({ type, actor: { role } }) => ({ type, role }))).toStrictEqual([
      { type: 'MerchantRegistered', role: 'admin' },
      { type: 'ApiVersionPinned', role: 'admin' },
    ]);
    expect(replayed.state).toMatchObject({ name: 'Corner Shop', status: 'active' });
    expect(replayed.events[0]?.changes).toContainEqual({ field: 'status', before: null, after: 'active' });
    const { out } = await cli.run(['replay', `platform.merchant-${merchant.merchant_id}`]);
    expect(out).toContain('#0 ');
    expect(out).toContain('The hash chain holds over all 2 events.');
  });

  it('goes no further than the moment it is given', async () => {
    const early = await cli.json<Replayed>(
      'replay',
      `platform.merchant-${merchant.merchant_id}`,
      '--as-of',
      '2020-01-01',
    );
    expect(early).toMatchObject({ exitCode: 0, as_of: '2020-01-01T00:00:00.000Z', events: [], state: null });
  });

  it('fails where there is no such stream', async () => {
    const { exitCode, err } = await cli.run(['replay', 'test.payment_intent-pi_none']);
    expect(exitCode).toBe(1);
    expect(err).toContain('There is no stream test.payment_intent-pi_none');
  });
});

describe('projections', () => {
  it('says that nothing has run yet', async () => {
    const status = await cli.json<{ projections: readonly { state: string }[] }>('projections', 'status');
    expect(status.exitCode).toBe(0);
    expect(new Set(status.projections.map(({ state }) => state))).toStrictEqual(new Set(['never_run']));
  });

  it('rebuilds and verifies all of them, before and after a service followed the log', async () => {
    const names = ALL_PROJECTIONS.map(({ name }) => name);
    const rebuilt = await cli.json<{ projections: readonly { projection: string }[] }>('projections', 'rebuild');
    expect(rebuilt.projections.map(({ projection }) => projection)).toStrictEqual(names);
    const verified = await cli.json<Verified>('projections', 'verify');
    expect(verified.projections.map(({ projection, equal }) => ({ projection, equal }))).toStrictEqual(
      names.map(projection => ({ projection, equal: true })),
    );
    await serve();
    expect(await cli.json('projections', 'verify')).toMatchObject({ exitCode: 0 });
    const status = await cli.json<{ head: number; projections: readonly object[] }>('projections', 'status');
    for (const projection of status.projections)
      expect(projection).toMatchObject({ state: 'following', lag_seconds: 0, error: null });
  });

  it('finds the one document that was tampered with, and rebuilds it', async () => {
    const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
    const merchants = ALL_PROJECTIONS.find(({ name }) => name === 'merchants');
    if (!merchants) throw new Error('there is no projection of merchants');
    const collection = await toolbox.documents.open(merchants);
    const standing = await collection.get(merchant.merchant_id);
    if (!standing) throw new Error('there is no merchant');
    await collection.put({ ...standing, body: { ...standing.body, name: 'Somebody Else' } });
    await toolbox.close();

    const { exitCode, projections } = await cli.json<Verified>('projections', 'verify', 'merchants');
    expect(exitCode).toBe(1);
    expect(projections).toMatchObject([
      { projection: 'merchants', equal: false, difference: { id: merchant.merchant_id, kind: 'changed' } },
    ]);
    expect((await cli.run(['projections', 'rebuild', 'merchants'])).exitCode).toBe(0);
    expect((await cli.run(['projections', 'verify', 'merchants'])).exitCode).toBe(0);
  });

  it('prints the documents as of a moment, a line each', async () => {
    const now = await cli.run(['projections', 'rebuild', 'merchants', '--as-of', '2999-01-01']);
    expect(
      now.out
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { id: string }).id),
    ).toContain(merchant.merchant_id);
    const then = await cli.run(['projections', 'rebuild', 'merchants', '--as-of', '2020-01-01']);
    expect(then).toMatchObject({ exitCode: 0, out: '' });
  });
});

describe('audit verify', () => {
  it('follows every chain, and names the first event that was changed', async () => {
    const sound = await cli.json<{ events: number; streams: number }>('audit', 'verify');
    expect(sound).toMatchObject({ exitCode: 0, intact: true, first_broken: null });
    expect(sound.streams).toBeGreaterThanOrEqual(8);

    const stream = `platform.merchant-${merchant.merchant_id}`;
    forge(join(cli.folder, EMBEDDED_FILE_NAME), stream);
    const broken = { stream, revision: 0, fault: 'content_differs' };
    expect(await cli.json('audit', 'verify')).toMatchObject({ exitCode: 1, intact: false, first_broken: broken });
    expect(await cli.json('replay', stream)).toMatchObject({
      exitCode: 1,
      chain_intact: false,
      broken_at: { revision: 0 },
    });
  });

  it('leaves no category out', async () => {
    const modules = join(__dirname, '../../src/modules');
    const files = readdirSync(modules, { recursive: true, encoding: 'utf8' });
    const deciders = files.filter(file => file.endsWith('.decider.ts'));
    const exported = await Promise.all(
      deciders.map(async file => Object.values((await import(join(modules, file))) as Record<string, unknown>)),
    );
    const categories = exported.flat().flatMap(value => (isAggregate(value) ? [value.category] : []));
    expect([...CATEGORIES].sort()).toStrictEqual(categories.sort());
  });
});

describe('misuse', () => {
  it.each([
    [['nonsense'], 'unknown command'],
    [['projections', 'rebuild', 'nonsense'], 'The projections are'],
    [['projections', 'rebuild', '--as-of', '2020-01-01'], 'needs the name of one projection'],
    [['replay', 'nonsense'], 'The stream must have a name such as'],
    [['replay', 'test.wallet-w', '--as-of', 'yesterday'], 'The moment must be a time'],
    [['merchant', 'create'], "required option '--name <text>'"],
  ])('%j ends with 2 and says why', async (args, why) => {
    const { exitCode, out, err } = await cli.run(args);
    expect({ exitCode, out }).toStrictEqual({ exitCode: 2, out: '' });
    expect(err).toContain(why);
  });

  it.each([
    ['merchant', 'create'],
    ['projections', 'status'],
    ['projections', 'rebuild'],
    ['projections', 'verify'],
    ['audit', 'verify'],
  ])('%s %s --help shows an example', async (...command) => {
    const { exitCode, out } = await cli.run([...command, '--help']);
    expect(exitCode).toBe(0);
    expect(out).toContain(`npx quittance ${command.join(' ')}`);
  });
});

function isAggregate(value: unknown): value is { readonly category: string } {
  return typeof value === 'object' && value !== null && 'category' in value && 'decide' in value;
}

/** Changes a recorded event without any command. */
function forge(path: string, stream: string): void {
  const database = new DatabaseSync(path);
  database.exec('drop trigger events_never_change');
  const changed = database
    .prepare(`update events set data = replace(data, 'Corner Shop', 'Corner Shoq') where stream = ? and revision = 0`)
    .run(stream).changes;
  database.close();
  if (changed !== 1) throw new Error(`${changed} events were changed`);
}
