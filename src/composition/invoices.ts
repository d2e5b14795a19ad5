import type { VelocityCounts } from '../modules/controls/velocity-counts';
import type { RateBook } from '../modules/quotes/rate-book';
import { InvoiceDeadlines } from '../processes/invoices/invoice-deadlines';
import { InvoiceGroup } from '../processes/invoices/invoice-group';
import { InvoicePayments } from '../processes/invoices/invoice-payments';
import type { Core } from './core';

/** The parts that pay invoices, that finish what a crash left undone of them, and that know when they are due. */
export type Invoicing = {
  readonly payments: InvoicePayments;
  readonly group: InvoiceGroup;
  readonly deadlines: InvoiceDeadlines;
};

export function composeInvoices(core: Core, rates: RateBook, velocity: VelocityCounts): Invoicing {
  const { config, readModels, writes, commands, secretBox, entropy, clock, log } = core;
  const payments = new InvoicePayments({ writes, rates, velocity, secretBox });
  const deadlines = new InvoiceDeadlines({ modes: config.modes, readModels, commands, clock, log });
  return { payments, group: new InvoiceGroup(writes, commands, payments, entropy), deadlines };
}
