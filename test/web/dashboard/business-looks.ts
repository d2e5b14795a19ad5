import type { LookedAt } from '../dashboard-pages';
import {
  LONG_WORD,
  openedFrom,
  stagedDays,
  stagedDraft,
  stagedFees,
  stagedInvoice,
  stagedLink,
  stagedMail,
} from './staged-business';

const HOME = '/dashboard/test';
const LIVE = '/dashboard/live';
const LONG_LINE = { description: LONG_WORD, quantity: 1_000_000, unit_amount: '1', tax_bps: 1_925 };

/** The pages about links, invoices, fees, books and mails, each with something to show. */
export const BUSINESS_LOOKS: readonly LookedAt[] = [
  { route: '/dashboard/{mode}/links', at: `${LIVE}/links` },
  { route: '/dashboard/{mode}/links', at: `${LIVE}/links?active=false` },
  {
    route: '/dashboard/{mode}/links',
    at: async dashboard => {
      await stagedLink(dashboard, { description: LONG_WORD, max_uses: 10 });
      return `${HOME}/links`;
    },
  },
  { route: '/dashboard/{mode}/links/new', at: `${HOME}/links/new` },
  { route: '/dashboard/{mode}/links/new', at: `${HOME}/links/new?kind=open` },
  {
    route: '/dashboard/{mode}/links/{id}',
    at: async dashboard => {
      const link = await stagedLink(dashboard, { description: LONG_WORD, metadata: { event: LONG_WORD } });
      await openedFrom(dashboard, link);
      return `${HOME}/links/${link}`;
    },
  },
  { route: '/dashboard/{mode}/invoices', at: `${LIVE}/invoices` },
  { route: '/dashboard/{mode}/invoices', at: `${LIVE}/invoices?status=paid` },
  {
    route: '/dashboard/{mode}/invoices',
    at: async dashboard => {
      await stagedInvoice(dashboard, { due_at: '2026-10-01T12:00:00Z', customer: { name: LONG_WORD } });
      return `${HOME}/invoices`;
    },
  },
  { route: '/dashboard/{mode}/invoices/new', at: `${HOME}/invoices/new` },
  {
    route: '/dashboard/{mode}/invoices/{id}',
    at: async dashboard => `${HOME}/invoices/${await stagedDraft(dashboard)}`,
  },
  {
    route: '/dashboard/{mode}/invoices/{id}',
    at: async dashboard => {
      const texts = { description: LONG_WORD, notes: LONG_WORD, customer: { name: LONG_WORD } };
      return `${HOME}/invoices/${await stagedDraft(dashboard, { ...texts, currency: 'JPY', lines: [LONG_LINE] })}`;
    },
  },
  {
    route: '/dashboard/{mode}/invoices/{id}',
    at: async dashboard => `${HOME}/invoices/${(await stagedInvoice(dashboard)).id}`,
  },
  { route: '/dashboard/{mode}/fees', at: `${LIVE}/fees` },
  { route: '/dashboard/{mode}/fees/invoices', at: `${HOME}/fees/invoices` },
  {
    route: '/dashboard/{mode}/fees/invoices/{id}',
    at: async dashboard => `${HOME}/fees/invoices/${await stagedFees(dashboard)}`,
  },
  { route: '/dashboard/{mode}/fees', at: `${HOME}/fees` },
  { route: '/dashboard/{mode}/books', at: `${LIVE}/books` },
  {
    route: '/dashboard/{mode}/books',
    at: async dashboard => {
      await stagedDays(dashboard);
      return `${HOME}/books`;
    },
  },
  { route: '/dashboard/{mode}/books', at: `${HOME}/books?wallet=wal_` },
  {
    route: '/dashboard/{mode}/outbox/{id}',
    at: async dashboard => `${HOME}/outbox/${await stagedMail(dashboard)}`,
  },
  { route: '/dashboard/{mode}/outbox', at: `${HOME}/outbox` },
];
