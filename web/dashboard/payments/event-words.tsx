import type { ComponentChildren } from 'preact';
import type {
  EventEntry,
  TimelineActor,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import type { EvidenceFact, FactName } from '../../../src/modules/payment-intents/queries/payment-evidence';
import { TokenAmount } from '../../parts/amount';
import { Money } from '../../parts/money';
import { spoken, type Tone } from '../../parts/status-badge';
import type { ActorNames } from './actor-names';
import { codeText } from './fact-words';

type Sign = { readonly icon: string; readonly tone: Tone };
type EventWords = Sign & {
  /** The sign that the facts decide, in place of the event's own. */
  readonly signOf?: (facts: Facts) => Sign | null;
  readonly title: (facts: Facts) => string;
  readonly text?: (facts: Facts) => ComponentChildren;
};

/** The facts of one event, found by name. */
class Facts {
  constructor(private readonly facts: readonly EvidenceFact[]) {}

  /** The text of a fact; empty where there is none. */
  of(name: FactName): string {
    return this.fact(name)?.value ?? '';
  }

  token(name: FactName): ComponentChildren {
    const fact = this.fact(name);
    return fact?.form === 'token' ? <TokenAmount amount={fact.value} price={fact.price} asset={fact.asset} /> : null;
  }

  asset(name: FactName): string {
    const fact = this.fact(name);
    return fact?.form === 'token' ? fact.asset : '';
  }

  money(name: FactName): ComponentChildren {
    const fact = this.fact(name);
    if (fact?.form !== 'money') return null;
    return <Money minorUnits={fact.value} currency={fact.currency} decimals={fact.decimals} />;
  }

  private fact(name: FactName): EvidenceFact | undefined {
    return this.facts.find(fact => fact.name === name);
  }
}

const REJECTED: Sign = { icon: 'ban', tone: 'bad' };
const SHORT: Sign = { icon: 'inbox', tone: 'review' };

/** The words of each event are true for ever: they stay on a payment whose standing has changed since. */
const EVENTS: Readonly<Record<EventEntry['type'], EventWords>> = {
  created: {
    icon: 'file-plus',
    tone: 'idle',
    title: () => 'Created',
    text: facts => <>For {facts.money('amount')}.</>,
  },
  method_selected: {
    ...{ icon: 'lock', tone: 'warn' },
    title: facts => `${facts.asset('reserved')} on ${codeText(facts.of('network'))} chosen`,
    text: facts => (
      <>The price was locked and {facts.token('reserved')} reserved: no other open payment had this amount.</>
    ),
  },
  transfer_seen: {
    ...{ icon: 'eye', tone: 'info', title: () => 'Transfer seen' },
    text: facts => (
      <>
        {facts.token('came')} came in. {codeText(facts.of('attribution'))}
        {facts.of('attribution') !== '' && '.'}
      </>
    ),
  },
  transfer_moved: {
    ...{ icon: 'refresh-cw', tone: 'info', title: () => 'Transfer moved' },
    text: facts => <>A reorganisation put it into block {facts.of('block')}.</>,
  },
  transfer_dropped: {
    ...{ icon: 'circle-x', tone: 'warn', title: () => 'Transfer dropped' },
    text: facts => <>{codeText(facts.of('drop_reason'))}.</>,
  },
  transfers_limited: {
    ...{ icon: 'triangle-alert', tone: 'warn', title: () => 'No more transfers are taken' },
    text: facts => <>The payment has taken {facts.of('limit')}; further ones go to the unmatched transfers.</>,
  },
  confirming: { icon: 'layers', tone: 'info', title: () => 'First confirmation', text: confirmations },
  payer_screened: {
    ...{ icon: 'shield-check', tone: 'info' },
    title: facts => (facts.of('verdict') === 'clear' ? 'Payer cleared' : 'Payer screened'),
    text: facts => <>{codeText(facts.of('verdict'))}.</>,
  },
  deep_enough: { icon: 'layers', tone: 'info', title: () => 'Enough confirmations', text: confirmations },
  settled: {
    ...{ icon: 'circle-check', tone: 'ok', title: () => 'Settled' },
    text: facts => (
      <>
        {facts.token('received')} received, credited as {facts.money('credited')}.
        {facts.token('surplus') !== null && <> That was {facts.token('surplus')} more than asked for.</>}
        {facts.token('remainder') !== null && <> A further {facts.token('remainder')} was asked for.</>}
      </>
    ),
  },
  remainder_asked: {
    ...{ icon: 'lock', tone: 'warn', title: () => 'The missing part was asked for' },
    text: facts => <>{facts.token('remainder')} was to complete the payment.</>,
  },
  accepted: { icon: 'check', tone: 'ok', title: () => 'Accepted as paid', text: note },
  resolved: {
    ...{ icon: 'check', tone: 'review', text: note },
    signOf: facts => (facts.of('resolution') === 'rejected' ? REJECTED : null),
    title: facts => `${spoken(facts.of('resolution'))} in review`,
  },
  hold_placed: {
    ...{ icon: 'shield-alert', tone: 'warn', title: () => 'Held' },
    text: () => <>Compliance began to examine the payer. The payment could not be confirmed meanwhile.</>,
  },
  hold_released: { icon: 'shield-check', tone: 'ok', title: () => 'Hold released' },
  hold_rejected: {
    ...{ ...REJECTED, title: () => 'Rejected by compliance' },
    text: () => <>The money lies in your wallet. Ask support before you return it.</>,
  },
  expired: { icon: 'clock', tone: 'idle', title: () => 'Quote ended', text: () => <>The price is no longer held.</> },
  canceled: { icon: 'circle-x', tone: 'idle', title: () => 'Canceled' },
  failed: {
    ...{ icon: 'circle-x', tone: 'bad', title: () => 'Failed' },
    text: facts => <>{codeText(facts.of('drop_reason'))}.</>,
  },
  lost: {
    ...{ icon: 'triangle-alert', tone: 'bad', title: () => 'A counted transfer was lost' },
    text: () => <>A reorganisation took it off the chain after the payment was settled.</>,
  },
};

/** An event in words. An event that settles is named by the status that it leads to. */
export function eventWords({ type, facts, changes }: EventEntry) {
  const { icon, tone, signOf, title, text } = EVENTS[type];
  const found = new Facts(facts);
  const status = changes.find(({ field }) => field === 'status')?.after ?? null;
  const settled = type === 'settled' && status !== null;
  const isShort = status === 'underpaid' || status === 'paid_late';
  return {
    ...(settled && isShort ? SHORT : (signOf?.(found) ?? { icon, tone })),
    title: settled ? spoken(status) : title(found),
    text: text?.(found),
  };
}

const ROLES: Readonly<Record<TimelineActor['role'], string>> = {
  api: 'an API key',
  checkout: 'the customer',
  matcher: 'matching',
  watcher: 'the watcher',
  sweeper: 'the clock',
  merchant: 'you',
  admin: 'support',
  compliance: 'compliance',
};

/** The cause of an event, such as `API key Till`; one without a name is told by its id. */
export function actorText({ role, type, id }: TimelineActor, names: ActorNames): string {
  if (id === null) return ROLES[role];
  return type === 'user' ? (names[id] ?? `person ${id}`) : `API key ${names[id] ?? id}`;
}

function confirmations(facts: Facts): ComponentChildren {
  const [seen, asked] = [facts.of('confirmations'), facts.of('confirmations_asked')];
  if (seen === '') return null;
  // A look may come late, and "13 of 12" reads like a fault.
  return <>{`${Math.min(Number(seen), Number(asked))} of ${asked} confirmations.`}</>;
}

function note(facts: Facts): ComponentChildren {
  const text = facts.of('note');
  return text === '' ? null : <q>{text}</q>;
}
