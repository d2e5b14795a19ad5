import { invariant } from '../../../kernel/invariant';
import type { Document } from '../../../kernel/ports/documents';
import {
  id,
  nullable,
  oneOfTexts,
  resource,
  signedDecimal,
  signedDigits,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { currencyDecimals } from '../../../vocabulary/currencies';
import { formatUnits } from '../../../vocabulary/money';
import { feeEntriesReadModel, FEE_ENTRY_KINDS, type FeeEntryDocument } from '../../fees/fee-entries.read-model';
import { ownPages } from '../export-source';
import { exportKind } from './export-kind';

const FEE_ROW = resource('fee_export_row', 'One row of the fee ledger of an export', {
  id: id('fee'),
  kind: oneOfTexts(
    FEE_ENTRY_KINDS,
    'Rows of the first three kinds add up to the balance. A payment pays its fee invoice, and changes no balance',
  ),
  created: timestamp(),
  currency: text('ISO 4217', 'EUR'),
  amount: signedDigits('Whole minor units, below zero where it lessens your fees', '12'),
  amount_decimal: signedDecimal('The same in whole units', '0.12'),
  payment_intent: nullable(id('pi', 'The payment whose fee the row books or corrects')),
  fee_invoice: nullable(id('finv', 'Of the kinds invoice and payment')),
  memo: nullable(text('The reason of an adjustment', 'The payment was lost on chain')),
});

function feeRow({ id: entryId, body }: Document<FeeEntryDocument>): Answer<typeof FEE_ROW> {
  const decimals = currencyDecimals(body.currency);
  invariant(decimals !== null, `${body.currency} is no currency`);
  return {
    id: entryId,
    kind: body.kind,
    created: body.created,
    currency: body.currency,
    amount: body.amount_minor_units,
    amount_decimal: formatUnits(BigInt(body.amount_minor_units), decimals, decimals),
    payment_intent: body.payment_intent,
    fee_invoice: body.fee_invoice,
    memo: body.memo,
  };
}

export const feesExport = exportKind(FEE_ROW, ownPages(feeEntriesReadModel), entry => [feeRow(entry)]);
