import { feeAccountsProjection } from '../../../projections/fee-accounts.projection';
import { feeEntriesProjection } from '../../../projections/fee-entries.projection';
import { parseStreamName, type RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';
import type { Outside } from '../outside';

type Data = Readonly<Record<string, string>>;

/** The schedule: half a percent, rounded down, and at least one minor unit. */
const FEE_PER_MINOR_UNITS = 200n;
const PAID: readonly string[] = ['PaymentConfirmed', 'PaymentOverpaid'];
/** More rows than a run books. */
const ROWS = 100_000;

/**
 * I6: a payment that ended as paid has one accrual, and no other payment has any. The fee is a share of the amount; of
 * the received one where the merchant has accepted the payment.
 */
export function onePaymentOneFee(events: readonly RecordedEvent[]): string[] {
  const accruals = byStream(events, 'fee_accrual');
  const payments = byStream(events, 'payment_intent');
  const unpaid = [...accruals.keys()].filter(stream => {
    const history = payments.get(stream.replace('fee_accrual-', 'payment_intent-')) ?? [];
    return !history.some(({ type }) => PAID.includes(type));
  });
  const found = unpaid.map(stream => `I6: ${stream} is of a payment that was never paid`);
  for (const [stream, history] of payments) {
    const end = history.findIndex(({ type }) => PAID.includes(type));
    if (end < 0) continue;
    const booked = accruals.get(stream.replace('payment_intent-', 'fee_accrual-')) ?? [];
    const fees = booked.map(({ data }) => `${(data as Data).fee_minor_units} ${(data as Data).currency}`);
    const due = dueOf(history, end);
    if (fees.join() !== due) found.push(`I6: ${stream} owes a fee of ${due}, and ${fees.join() || 'none'} is booked`);
  }
  return found;
}

function dueOf(history: readonly RecordedEvent[], end: number): string {
  const { amount_minor_units: amount = '0', currency } = history[0]?.data as Data;
  const { received_minor_units: received = '0' } = history[end]?.data as Data;
  const isAccepted = history.slice(0, end).some(({ type, data }) => {
    return type === 'PaymentAccepted' || (type === 'ReviewResolved' && (data as Data).resolution === 'accepted');
  });
  const share = BigInt(isAccepted ? received : amount) / FEE_PER_MINOR_UNITS;
  return `${share < 1n ? 1n : share} ${currency}`;
}

type Account = { accrued: bigint; adjusted: bigint; invoiced: bigint; readonly prefixes: Set<bigint> };

/**
 * I6: fee invoices ask for each accrual once. As a fee invoice is made, all of them together ask for the first
 * accruals of the log, and for all adjustments. Each `FeeInvoiced` has its fee invoice.
 */
export function accrualsInvoicedOnce(events: readonly RecordedEvent[]): string[] {
  const accounts = new Map<string, Account>();
  const issued = byStream(events, 'fee_invoice');
  const found: string[] = [];
  for (const { type, stream, data, metadata, revision } of events) {
    if (!['FeeAccrued', 'FeeAdjusted', 'FeeInvoiced'].includes(type)) continue;
    const { currency, fee_minor_units: fee = '0', amount_minor_units: amount = '0', fee_invoice: id } = data as Data;
    const key = `${metadata.mode} ${metadata.merchant_id} ${currency}`;
    const account = accounts.get(key) ?? { accrued: 0n, adjusted: 0n, invoiced: 0n, prefixes: new Set([0n]) };
    accounts.set(key, account);
    if (type === 'FeeAccrued') account.prefixes.add((account.accrued += BigInt(fee)));
    if (type === 'FeeAdjusted') account.adjusted += BigInt(amount);
    if (type !== 'FeeInvoiced') continue;
    account.invoiced += BigInt(amount);
    const where = `I6: ${stream} #${revision}`;
    if (BigInt(amount) <= 0n) found.push(`${where} asks for ${amount}`);
    if (!account.prefixes.has(account.invoiced - account.adjusted))
      found.push(`${where} asks for a fee twice, or for a part`);
    if (issued.get(`fee_invoice-${id}`)?.[0]?.type !== 'FeeInvoiceIssued')
      found.push(`${where}: ${id} was never issued`);
  }
  return found;
}

/** I6: the balances of the ledger are the sums of its rows. */
export async function balancesAsRows({ documents }: Outside): Promise<string[]> {
  const sums = new Map<string, bigint>();
  const entries = await documents.open(feeEntriesProjection);
  const accounts = await documents.open(feeAccountsProjection);
  for (const mode of ['test', 'live'] as const) {
    for (const { body: account } of await accounts.list({ index: 'by_mode', equals: { mode }, limit: ROWS })) {
      const { merchant_id } = account as { readonly merchant_id: string };
      const own = { index: 'by_merchant', equals: { merchant_id, mode }, limit: ROWS };
      for (const { body } of await entries.list(own)) {
        const { kind, currency, amount_minor_units: amount } = body as Data;
        if (kind !== 'payment') add(sums, `${mode} ${merchant_id} ${currency}`, BigInt(amount as string));
      }
      for (const [currency, totals] of Object.entries(account.totals as Readonly<Record<string, Data>>)) {
        const { accrued_minor_units: accrued, adjusted_minor_units: adjusted, invoiced_minor_units: invoiced } = totals;
        const balance = BigInt(accrued ?? 0) + BigInt(adjusted ?? 0) - BigInt(invoiced ?? 0);
        add(sums, `${mode} ${merchant_id} ${currency}`, -balance);
      }
    }
  }
  return [...sums].flatMap(([key, rest]) => (rest === 0n ? [] : [`I6: the balance of ${key} is off by ${rest}`]));
}

function add(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

/** The merchant's mode is never invoiced outside of live mode. */
export function testNeverInvoiced(events: readonly RecordedEvent[]): string[] {
  const invoiced = events.filter(({ type }) => type === 'FeeInvoiced' || type === 'FeeInvoiceIssued');
  return invoiced.flatMap(({ stream }) =>
    parseStreamName(stream).universe === 'live' ? [] : [`I6: ${stream} is invoiced`],
  );
}
