import 'reflect-metadata';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { openToolbox } from '../../src/cli/toolbox';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';
import { ensureGroups } from '../../src/processes/groups';
import { CliSession } from './cli-support';

let cli: CliSession;

beforeAll(async () => {
  cli = new CliSession();
  const account = ['--name', 'one', '--email', 'one@example.com', '--password', 'seven green lanterns at dusk'];
  await cli.run(['merchant', 'create', ...account]);
});
afterAll(() => cli.end());

it('tells that no service has followed the log', async () => {
  const { exitCode, err } = await cli.run(['groups', 'status']);
  expect(exitCode).toBe(1);
  expect(err).toContain('No service has followed this log yet.');
});

it('shows parked messages, and has them tried anew by an event of the log', async () => {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  await ensureGroups(toolbox.store);
  const position = await toolbox.store.lastPosition();
  await toolbox.close();
  const file = new DatabaseSync(join(cli.folder, EMBEDDED_FILE_NAME));
  file.prepare("insert into event_group_messages values ('audit', ?, 10, 1)").run(position);
  file.close();

  const standing = await cli.json<{ groups: readonly object[] }>('groups', 'status');
  expect(standing.exitCode).toBe(1);
  expect(standing.groups).toContainEqual({ group: 'audit', parked: 1, lag_ms: expect.any(Number) as number });
  const { messages } = await cli.json<{ messages: readonly { stream: string }[] }>('groups', 'parked', 'audit');
  expect(messages).toHaveLength(1);

  const replay = ['groups', 'replay', 'audit', '--reason', 'mended'] as const;
  expect(await cli.json(...replay)).toEqual({ exitCode: 0, replayed: 'audit' });
  expect((await cli.run(['groups', 'status'])).exitCode).toBe(0);
  expect(await cli.json('replay', 'platform.maintenance-group:audit')).toMatchObject({
    events: [{ type: 'ParkedMessagesReplayed', data: { group: 'audit', messages: 1, reason: 'mended' } }],
    state: { last: { data: { messages: 1 } } },
  });
  expect((await cli.run(replay)).err).toContain('invalid_state_transition');
});
