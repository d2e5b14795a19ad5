import type { ListQuery } from '../../../src/kernel/ports/documents';
import type { OutboxDocument } from '../../../src/modules/outbox/outbox';
import { outboxStanding } from '../../../src/modules/outbox/outbox-standing';

it('tells the answer of the mail server, and not whom the mail was for', async () => {
  const failing = {
    ...{ attempts: 1, created_at: '2026-11-01T12:00:00.000Z', next_attempt_at: '2026-11-01T12:01:00.000Z' },
    detail: '452 4.2.2 <eve+1@shop.example>: mailbox of eve@shop.example, full',
  } as OutboxDocument;
  const list = async ({ equals }: ListQuery) =>
    equals.status === 'queued' ? [{ id: 'mail_1', version: 1, body: failing }] : [];
  await expect(outboxStanding({ list })).resolves.toMatchObject({
    failing: 1,
    last_detail: '452 4.2.2 <address>: mailbox of address full',
  });
});
