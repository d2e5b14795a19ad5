import type { ExportKind } from './export-kind';
import { feesExport } from './fees.export';
import { invoicesExport } from './invoices.export';
import { paymentsExport } from './payments.export';
import { transfersExport } from './transfers.export';
import { unmatchedTransfersExport } from './unmatched-transfers.export';

/** Every list that can be exported, by the last word of its path. */
export const EXPORT_KINDS = {
  payments: paymentsExport,
  transfers: transfersExport,
  unmatched_transfers: unmatchedTransfersExport,
  fees: feesExport,
  invoices: invoicesExport,
} as const satisfies Readonly<Record<string, Omit<ExportKind, 'row'>>>;

export type ExportKindName = keyof typeof EXPORT_KINDS;
export const EXPORT_KIND_NAMES = Object.keys(EXPORT_KINDS) as readonly ExportKindName[];
