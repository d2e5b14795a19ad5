import { balances, balanceStreamId } from '../../../src/modules/books/balance.decider';
import { DaySums } from '../../../src/modules/books/day-sums';
import { Outbox, OUTBOX_COLLECTION, type OutboxDocument } from '../../../src/modules/outbox/outbox';
import { ANY_MAIL, MAIL_TEXTS } from '../../support/mail-texts';
import { bookFees } from '../../support/booked-fees';
import type { DashboardStage } from '../dashboard-stage';
import { ownWallet } from './own-wallet';

export const LONG_WORD = 'Pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(4);
const LINE = { description: 'Green <b>tea</b>', quantity: 2, unit_amount: '1250', discount_bps: 500, tax_bps: 1_900 };

/** An open link of the owner. */
export async function stagedLink({ merchant }: DashboardStage, changes: object = {}): Promise<string> {
  const bounds = { kind: 'open', currency: 'EUR', min_amount: '500', max_amount: '50000' };
  const body = { ...bounds, description: 'Concert <i>tickets</i>', ...changes };
  const { id } = await merchant.done('POST /v1/payment_links', { body });
  return String(id);
}

/** A payment that was opened from the link; the read models follow. */
export async function openedFrom({ merchant, stage }: DashboardStage, link: string, amount = '1200'): Promise<string> {
  const { id } = await merchant.done(`POST /v1/payment_links/${link}/payment_intents`, { body: { amount } });
  await stage.project();
  return String(id);
}

/** A draft of the owner, of two lines. */
export async function stagedDraft({ merchant }: DashboardStage, changes: object = {}): Promise<string> {
  const body = {
    currency: 'EUR',
    lines: [LINE, { description: 'Teapot', quantity: 1, unit_amount: '4900' }],
    customer: { name: 'Ada Byron', email: 'ada@example.com' },
    notes: 'Deliver at the back door.\nRing twice.',
    ...changes,
  };
  const { id } = await merchant.done('POST /v1/invoices', { body });
  return String(id);
}

/** An open invoice of the owner with its payment; the read models follow. */
export async function stagedInvoice(dashboard: DashboardStage, changes: object = {}) {
  const { merchant, stage } = dashboard;
  const id = await stagedDraft(dashboard, changes);
  const { payment_intent: payment } = await merchant.done(`POST /v1/invoices/${id}/issue`);
  await stage.project();
  return { id, payment: String(payment) };
}

/** A fee and a fee invoice of the owner. */
export async function stagedFees({ stage, merchant }: DashboardStage): Promise<string> {
  const { feeInvoice } = await bookFees(stage.core, 'test', merchant.id);
  await stage.project();
  return feeInvoice;
}

/** Three days of the owner's wallet, which is answered: a balanced one, one that differs, and one that is pending. */
export async function stagedDays({ stage, merchant }: DashboardStage): Promise<string> {
  const wallet = await ownWallet({ merchant });
  const { commands, writes } = stage.core;
  const context = () => commands.of('books').as('watcher', 'test', merchant.id);
  const movement = { txHash: `0x${'5c'.repeat(32)}`, ordinal: 3, valueBaseUnits: 10_000_000n };
  for (const [day, column] of [
    ['2026-10-30', 'credited'],
    ['2026-10-31', 'unknown'],
    ['2026-11-01', null],
  ] as const) {
    const place = { wallet_id: wallet, token_id: 'usdc-base', day } as const;
    const balance = { ...place, block_number: 7, block_hash: '0x7', balance_base_units: '100000000' };
    const id = balanceStreamId(place);
    await writes.execute(balances, id, { type: 'observe', balance }, await context());
    if (column === null) continue;
    const sums = new DaySums();
    sums.received(movement, column === 'unknown' ? { column } : { column, valueBaseUnits: 10_000_000n });
    const closed = sums.closed(place, { opening: 90_000_000n, closing: 100_000_000n });
    await writes.execute(balances, id, { type: 'reconcile', day: closed }, await context());
  }
  await stage.project();
  return wallet;
}

let mails = 0;

/** A mail to the owner. */
export async function stagedMail({ stage, merchant, owner }: DashboardStage): Promise<string> {
  const outbox = new Outbox(await stage.core.documents.open<OutboxDocument>(OUTBOX_COLLECTION), MAIL_TEXTS);
  const id = `mail_${(mails += 1)}`;
  await outbox.put({ id, to: owner.email, merchantId: merchant.id, ...ANY_MAIL }, stage.clock.now());
  return id;
}
