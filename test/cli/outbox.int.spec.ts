import 'reflect-metadata';
import { openToolbox } from '../../src/cli/toolbox';
import {
  CUSTOMER_OUTBOX_COLLECTION,
  Outbox,
  OUTBOX_COLLECTION,
  type OutboxDocument,
} from '../../src/modules/outbox/outbox';
import { ANY_MAIL, MAIL_TEXTS } from '../support/mail-texts';
import { CliSession } from './cli-support';

const NOW_MS = Date.parse('2026-11-01T12:00:00.000Z');
const mail = { to: 'owner@example.com', merchantId: null, ...ANY_MAIL };
const words = MAIL_TEXTS.render(ANY_MAIL);

let cli: CliSession;
beforeEach(async () => {
  cli = new CliSession();
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const messages = await toolbox.documents.open<OutboxDocument>(OUTBOX_COLLECTION);
  const outbox = new Outbox(messages, MAIL_TEXTS);
  await outbox.put({ id: 'evt-1', ...mail }, NOW_MS);
  await outbox.put({ id: 'evt-2', ...mail, to: 'gone@example.com' }, NOW_MS + 1_000);
  const [, second] = await outbox.due(NOW_MS + 1_000, 10);
  if (second) await outbox.change(second, { status: 'given_up', attempts: 8, detail: '550 no such user' });
  await outbox.put({ id: 'evt-4', ...mail, to: 'paid@example.com' }, NOW_MS);
  const unwanted = await outbox.find('evt-4');
  if (unwanted) await outbox.change(unwanted, { status: 'withheld', detail: 'the transfer has left the queue' });
  const customers = new Outbox(await toolbox.documents.open<OutboxDocument>(CUSTOMER_OUTBOX_COLLECTION), MAIL_TEXTS);
  await customers.put({ id: 'evt-3', ...mail, to: 'ada@example.com' }, NOW_MS + 2_000);
  await toolbox.close();
});
afterEach(() => cli.end());

it('lists mail that waits, that was given up, and that is withheld', async () => {
  expect(await cli.json('outbox')).toMatchObject({
    exitCode: 0,
    messages: [
      { id: 'evt-3', to: 'ada@example.com' },
      { id: 'evt-1', to: mail.to, kind: mail.kind, ...words, status: 'queued', created_at: '2026-11-01T12:00:00.000Z' },
    ],
  });
  const { out } = await cli.run(['outbox', '--status', 'given_up']);
  expect(out).toBe(
    `evt-2  2026-11-01T12:00:01.000Z  gone@example.com  8 attempts  ${words.subject}  550 no such user\n`,
  );
  const withheld = await cli.run(['outbox', '--status', 'withheld']);
  expect(withheld.out).toContain('paid@example.com');
  expect(withheld.out).toContain('the transfer has left the queue');
  expect((await cli.run(['outbox', '--status', 'sent'])).out).toBe('No message is sent.\n');
});

it('shows one message with its text', async () => {
  const { exitCode, out } = await cli.run(['outbox', 'evt-1']);
  expect(exitCode).toBe(0);
  expect(out).toBe(`To: ${mail.to}\nSubject: ${words.subject}\nStatus: queued\n\n${words.text}\n`);
  expect((await cli.run(['outbox', 'evt-3'])).out).toContain('To: ada@example.com');
});

it('fails where there is no such message, and refuses a status that is none', async () => {
  const { exitCode, err } = await cli.run(['outbox', 'evt-9']);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('has no message evt-9') });
  expect((await cli.run(['outbox', '--status', 'lost'])).exitCode).toBe(2);
});
