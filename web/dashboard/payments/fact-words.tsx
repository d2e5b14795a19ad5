import type { ComponentChildren } from 'preact';
import type { AttemptEntry } from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import type { EvidenceFact, FactName } from '../../../src/modules/payment-intents/queries/payment-evidence';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import { isNetworkId } from '../../../src/vocabulary/networks';
import { Address, Hash } from '../../parts/address';
import { TokenAmount } from '../../parts/amount';
import { Money } from '../../parts/money';
import { usePaths } from '../../parts/signed-context';
import { spoken } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { networkName } from '../../words/chain-names';
import { percentOfBps } from '../../words/percent';
import { plural } from '../../words/plural';
import { unansweredText } from '../../words/unanswered';

/** The name of each fact on a page. */
export const FACT_TERMS: Readonly<Record<FactName, string>> = {
  amount: 'Amount',
  description: 'Description',
  metadata: 'Metadata',
  link: 'Link',
  invoice: 'Invoice',
  restarted_from: 'In place of',
  network: 'Network',
  address: 'Address',
  wallet: 'Wallet',
  rate: 'Rate taken',
  rate_source: 'Rate seen',
  price: 'Price',
  reserved: 'Reserved amount',
  slot: 'Slot',
  reserved_until: 'Reserved until',
  quote_expires_at: 'Quote ends',
  confirmations_asked: 'Confirmations asked',
  finality: 'Finality',
  tolerance: 'Tolerance',
  transfer: 'Transfer',
  transaction: 'Transaction',
  log_index: 'Place in the transaction',
  payer: 'Payer',
  came: 'Came in',
  block: 'Block',
  block_hash: 'Block hash',
  block_time: 'Block time',
  attribution: 'Attributed',
  head: 'Newest block',
  confirmations: 'Confirmations',
  verdict: 'Verdict',
  received: 'Received',
  credited: 'Credited',
  surplus: 'Surplus',
  remainder: 'Still to pay',
  drop_reason: 'Reason',
  limit: 'Transfers at most',
  note: 'Note',
  resolution: 'Decision',
  inference_asked: 'Asked for',
  inference_distance: 'Short by',
  inference_after_quote: 'Paid after the quote',
  inference_others: 'Other payments looked at',
  inference_nearest: 'Nearest other one',
  inference_wallet: 'Wallet',
};

/** Codes that are no words by themselves. */
const CODES: Readonly<Record<string, string>> = {
  exact: 'By its exact amount',
  claimed: 'The customer, you or support named it for this payment',
  inferred: 'By inference: no other payment can be meant',
  clear: 'Clear: on no list',
  high_risk: 'High risk',
  surplus: 'The payment had ended',
  superseded: 'Other transfers have paid',
  review_rejected: 'The payment was rejected in its review',
  reverted: 'The transaction was reverted',
  reorged_out: 'The block was replaced',
  verification_failed: 'The transaction could not be verified',
  dedicated: 'Receives nothing else',
  shared: 'Also receives other money',
};

/** A fact as its term and value. */
export function factEntry(fact: EvidenceFact): readonly [term: string, value: ComponentChildren] {
  return [FACT_TERMS[fact.name], <FactValue key={fact.name} fact={fact} />];
}

function FactValue({ fact }: { readonly fact: EvidenceFact }) {
  switch (fact.form) {
    case 'hash':
      return <Hash hash={fact.value} />;
    case 'address':
      return <Address address={fact.value} />;
    case 'time':
      return <TimeOf at={fact.value} as="exact" />;
    case 'payment':
      return <PaymentLink id={fact.value} />;
    case 'token':
      return <TokenAmount amount={fact.value} price={fact.price} asset={fact.asset} />;
    case 'money':
      return <Money minorUnits={fact.value} currency={fact.currency} decimals={fact.decimals} />;
    case 'span':
      return <>{spanText(fact.ms)}</>;
    case 'observation': {
      const { source, asset, currency, observed_at } = fact.observation;
      return (
        <>
          {fact.value} {asset} for 1 {currency}, {source}, <TimeOf at={observed_at} as="exact" />
        </>
      );
    }
    case 'code':
      return <>{codeText(fact.value)}</>;
    case 'transfer':
    case 'text':
      return <>{fact.name === 'tolerance' ? percentText(fact.value) : othersText(fact)}</>;
  }
}

export function PaymentLink({ id }: { readonly id: string }) {
  const paths = usePaths();
  return (
    <a href={paths(`payments/${id}`)} class="mono">
      {id}
    </a>
  );
}

/** A code that is not known yet is shown by its name. */
export function codeText(code: string): string {
  if (isNetworkId(code)) return networkName(code);
  return CODES[code] ?? (/^[a-z]+(?:_[a-z]+)*$/.test(code) ? spoken(code) : code);
}

/** The answer to an attempt of a delivery. */
export function answerText({ statusCode, error, latencyMs }: AttemptEntry): string {
  return statusCode === null ? unansweredText(error) : `${statusCode} in ${latencyMs} ms`;
}

function spanText(ms: number): string {
  const [count, unit]: readonly [number, string] =
    ms < 2 * MINUTE_MS
      ? [Math.round(ms / SECOND_MS), 'second']
      : ms < 2 * HOUR_MS
        ? [Math.round(ms / MINUTE_MS), 'minute']
        : [Math.round(ms / HOUR_MS), 'hour'];
  return plural(count, unit);
}

function othersText({ name, value }: EvidenceFact): string {
  if (name !== 'inference_others') return value;
  const [lastDay, lastMonth] = value.split(' / ');
  return `${lastDay} of the last day, ${lastMonth} of the last 30 days`;
}

function percentText(bps: string): string {
  return `${percentOfBps(Number(bps))}%`;
}
