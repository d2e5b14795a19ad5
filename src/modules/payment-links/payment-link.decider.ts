import { isoTime, parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import { canonicalTimestamp } from '../../kernel/timestamp';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { PaymentSettings } from '../../vocabulary/payment-settings';
import type { LinkFacts, PaymentLinkEvent } from './payment-link.events';

/** Null until the link is created. */
export type PaymentLink = LinkFacts | null;

/** The merchant's wishes for a new link. */
export type LinkTerms = Omit<LinkFacts, 'created_at' | 'use_count' | 'deactivated_at'>;

type Use = {
  readonly type: 'use';
  /** The payment that the use opens. */
  readonly paymentIntent: string;
  /** Null where the customer chooses none, since the link is fixed. */
  readonly amountMinorUnits: bigint | null;
} & Pick<PaymentSettings, 'defaultSuccessUrl'>;

type PaymentLinkCommand =
  { readonly type: 'create'; readonly terms: LinkTerms } | Use | { readonly type: 'deactivate' };

function decide(
  command: PaymentLinkCommand,
  state: PaymentLink,
  context: DecisionContext,
): readonly PaymentLinkEvent[] {
  if (command.type === 'create') {
    // The id follows from the command, so the link is the command's own earlier work.
    if (state !== null) return [];
    return [{ type: 'PaymentLinkCreated', data: { link: newLink(command.terms, context.now) } }];
  }
  if (state === null) throw refuse('resource_missing');
  switch (command.type) {
    case 'use':
      return decideUse(command, state, context);
    case 'deactivate':
      if (state.deactivated_at !== null) return [];
      return [{ type: 'PaymentLinkDeactivated', data: { link: { ...state, deactivated_at: isoTime(context.now) } } }];
    default:
      return unreachable(command);
  }
}

function newLink(terms: LinkTerms, now: number): LinkFacts {
  const end = terms.expires_at === null ? null : canonicalTimestamp(terms.expires_at, 'expires_at');
  if (end !== null && parseIsoTime(end) <= now)
    throw refuse('parameter_invalid', { param: 'expires_at', message: 'The end of a link lies ahead.' });
  return { ...terms, expires_at: end, created_at: isoTime(now), use_count: 0, deactivated_at: null };
}

function decideUse(use: Use, link: LinkFacts, { now }: DecisionContext): readonly PaymentLinkEvent[] {
  const amount = amountOfUse(link, use.amountMinorUnits, now);
  const data = {
    link: { ...link, use_count: link.use_count + 1 },
    payment_intent: use.paymentIntent,
    amount_minor_units: amount.toString(),
    success_url: link.success_url ?? use.defaultSuccessUrl,
  };
  return [{ type: 'PaymentLinkUsed', data }];
}

/**
 * The amount of a use that is asked for now. Throws Refusal, in this order: resource_missing, the refusals of the
 * amount, and invalid_state_transition for a link that opens no payments any more.
 */
export function amountOfUse(link: PaymentLink, asked: bigint | null, now: number): bigint {
  if (link === null) throw refuse('resource_missing');
  const amount = checkedAmount(link, asked);
  const standing = standingOf(link, now);
  if (standing !== 'open') throw refuse('invalid_state_transition', { message: CLOSED[standing] });
  return amount;
}

/** Whether a link opens payments, or why it does not. */
export type LinkStanding = 'open' | 'inactive' | 'ended' | 'spent';

const CLOSED: Readonly<Record<Exclude<LinkStanding, 'open'>, string>> = {
  inactive: 'The link was deactivated.',
  ended: 'The time of the link is over.',
  spent: 'The link has been used as often as it may be.',
};

type Limits = Pick<LinkFacts, 'deactivated_at' | 'expires_at' | 'max_uses' | 'use_count'>;

/** `now` is the time by the clock of the link's merchant. */
export function standingOf(link: Limits, now: number): LinkStanding {
  if (link.deactivated_at !== null) return 'inactive';
  if (link.expires_at !== null && now >= parseIsoTime(link.expires_at)) return 'ended';
  return link.max_uses !== null && link.use_count >= link.max_uses ? 'spent' : 'open';
}

function checkedAmount(link: LinkFacts, asked: bigint | null): bigint {
  const { amount_minor_units: price, min_minor_units: least, max_minor_units: most } = link;
  if (price !== null) {
    if (asked !== null) throw refuse('parameter_invalid', { param: 'amount', message: 'The link has a fixed amount.' });
    return BigInt(price);
  }
  if (asked === null)
    throw refuse('parameter_missing', { param: 'amount', message: 'The amount of an open link is yours to name.' });
  if (least !== null && asked < BigInt(least))
    throw refuse('amount_too_small', { param: 'amount', message: `The link takes ${least} minor units or more.` });
  if (most !== null && asked > BigInt(most))
    throw refuse('amount_too_large', { param: 'amount', message: `The link takes ${most} minor units at most.` });
  return asked;
}

export const paymentLinks: Aggregate<PaymentLink, PaymentLinkCommand, PaymentLinkEvent> = {
  category: 'payment_link',
  notFound: 'resource_missing',
  initial: null,
  restates: true,
  decide,
  evolve: (_, { data }) => data.link,
};
