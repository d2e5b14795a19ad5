import 'reflect-metadata';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';
import { CliSession } from './cli-support';

type Check = {
  readonly equal: boolean;
  readonly events: number;
  readonly faults: readonly { readonly id: string; readonly kind: string }[];
  readonly faults_found: number;
  readonly surplus: number;
};

let cli: CliSession;

beforeAll(async () => {
  cli = new CliSession();
  const account = ['--name', 'one', '--email', 'one@example.com', '--password', 'seven green lanterns at dusk'];
  await cli.run(['merchant', 'create', ...account]);
});
afterAll(() => cli.end());

const verified = () => cli.json<Check>('audit', 'verify-entries');

it('makes the entries from the events alone, and finds one that another program has changed', async () => {
  const before = await verified();
  expect(before).toMatchObject({ exitCode: 1, equal: false, faults_found: before.events, surplus: 0 });
  expect(await cli.json('audit', 'rebuild-entries')).toMatchObject({ exitCode: 0, events: before.events });
  expect(await verified()).toMatchObject({ exitCode: 0, equal: true, events: before.events, faults: [] });

  const file = new DatabaseSync(join(cli.folder, EMBEDDED_FILE_NAME));
  const { id } = file.prepare('select id from "documents:audit_entries" limit 1').get() as { readonly id: string };
  file
    .prepare(`update "documents:audit_entries" set body = json_set(body, '$.actor_id', 'other') where id = ?`)
    .run(id);
  file.close();
  expect(await verified()).toMatchObject({ exitCode: 1, faults: [{ id, kind: 'changed' }], faults_found: 1 });
});
