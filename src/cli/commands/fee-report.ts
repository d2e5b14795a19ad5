import { everyDocument } from '../../kernel/every-document';
import { feeAccountsReadModel, outstandingByCurrency } from '../../modules/fees/fee-accounts.read-model';
import { feeInvoicesReadModel } from '../../modules/fees/fee-invoices.read-model';
import { currencyDecimals } from '../../vocabulary/currencies';
import { formatUnits } from '../../vocabulary/money';
import type { Mode } from '../../vocabulary/modes';
import { table, type Answer } from '../cli-command';
import type { Toolbox } from '../toolbox';

export type ReportOptions = { readonly merchant?: string; readonly status: 'open' | 'paid'; readonly mode: Mode };

/** Fee invoices of one answer, those that were due first; further ones are counted. */
const INVOICES_LISTED = 1_000;
const PAGE = 500;

/** The documents answer, which follow the log within some seconds. */
export async function feeReport(toolbox: Toolbox, options: ReportOptions): Promise<Answer> {
  const outstanding = await outstandingOf(toolbox, options);
  const { listed, more } = await invoicesOf(toolbox, options);
  const rows = listed.map(({ id, merchant_id, number, amount_minor_units, currency, due_at, status }) => [
    id, merchant_id, number, moneyOf(BigInt(amount_minor_units), currency), `due ${due_at}`, status,
  ]); // prettier-ignore
  const balances = outstanding.map(({ merchant_id, currency, amount_minor_units }) => [
    merchant_id,
    `${moneyOf(BigInt(amount_minor_units), currency)} outstanding`,
  ]);
  return {
    json: { fee_invoices: listed, more_fee_invoices: more, outstanding },
    lines: [
      ...(rows.length > 0 ? table(rows) : [`No fee invoice is ${options.status}.`]),
      ...(more > 0 ? [`and ${more} more fee invoices`] : []),
      ...(balances.length > 0 ? table(balances) : ['Nothing is outstanding.']),
    ],
  };
}

/** `-12.50 EUR` */
export function moneyOf(minorUnits: bigint, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0;
  return `${formatUnits(minorUnits, decimals, decimals)} ${currency}`;
}

async function invoicesOf({ readModels }: Toolbox, { merchant, status }: ReportOptions) {
  const listed = [];
  let more = 0;
  const query = { index: 'by_due', equals: { status }, limit: PAGE };
  for await (const { id, body } of everyDocument(readModels, feeInvoicesReadModel, query)) {
    if (merchant !== undefined && body.merchant_id !== merchant) continue;
    if (listed.length < INVOICES_LISTED) listed.push({ id, ...body });
    else more += 1;
  }
  return { listed, more };
}

async function outstandingOf({ readModels }: Toolbox, { merchant, mode }: ReportOptions) {
  const rows = [];
  const equals = { mode, ...(merchant !== undefined && { merchant_id: merchant }) };
  const query = { index: 'by_mode', equals, limit: PAGE };
  for await (const { body } of everyDocument(readModels, feeAccountsReadModel, query)) {
    for (const { currency, amountMinorUnits } of outstandingByCurrency(body))
      rows.push({ merchant_id: body.merchant_id, mode, currency, amount_minor_units: amountMinorUnits.toString() });
  }
  return rows;
}
