import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import {
  NAMING_TTL_MS,
  namingsIdsOf,
  namingIdOf,
  namingsIdOf,
  namings,
  type NamingCommand,
} from '../../../src/modules/transfers/naming.decider';
import type { NamingEvent } from '../../../src/modules/transfers/naming.events';
import { given } from '../../support/given-when-then';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const at = (now: number) => ({ actor: { role: 'merchant', type: 'api_key', id: 'key_1' } as const, now });

const filed = (payment_intent = 'pi_1', now = NOON): NamingEvent => ({
  type: 'TransactionNamed',
  data: { payment_intent, side: 'merchant', log_index: null, expires_at: isoTime(now + NAMING_TTL_MS) },
});
const kept: NamingEvent = {
  type: 'NamingKept',
  data: { payment_intent: 'pi_1', transfer_id: 'tr_1', reason: 'older_than_quote' },
};
const attributed: NamingEvent = {
  type: 'NamingAttributed',
  data: { payment_intent: 'pi_1', transfer_id: 'tr_1' },
};
const refusal: NamingEvent = {
  type: 'NamingRefused',
  data: { payment_intent: 'pi_1', refusal: 'payment_expired' },
};
const ofExchange: NamingEvent = {
  type: 'ExchangeTransferNamed',
  data: { payment_intent: 'pi_1', side: 'merchant' },
};

const file = (paymentIntent = 'pi_1'): NamingCommand => ({
  type: 'file',
  paymentIntent,
  side: 'merchant',
  logIndex: null,
  merchantsFilings: 0,
});
const keep: NamingCommand = {
  type: 'keep',
  paymentIntent: 'pi_1',
  transferId: 'tr_1',
  reason: 'older_than_quote',
};
const attribute: NamingCommand = { type: 'attribute', paymentIntent: 'pi_1', transferId: 'tr_1' };
const refuse: NamingCommand = { type: 'refuse', paymentIntent: 'pi_1', refusal: 'payment_expired' };
const fileExchange: NamingCommand = {
  type: 'file_exchange_transfer',
  paymentIntent: 'pi_1',
  side: 'merchant',
  merchantsFilings: 0,
};

const when = (history: readonly NamingEvent[], command: NamingCommand, now = NOON) =>
  given(namings, history).when(command, at(now));

describe('a naming on a transaction', () => {
  it('is filed ten times for one payment, whichever place it names, and no more', () => {
    const again = (logIndex: number): NamingCommand => ({ ...file(), logIndex }) as NamingCommand;
    const filings = (count: number) => Array.from({ length: count }, () => filed());
    const next = { ...filed().data, log_index: 3 };
    when(filings(9), again(3)).then([{ type: 'TransactionNamed', data: next } as NamingEvent]);
    when(filings(10), again(3)).thenRefused('duplicate_transaction');
    when(filings(10), file()).then([]);
  });

  it('is filed with all others on what it names', () => {
    const base = namingsIdOf('base', { kind: 'transaction', txHash: '0x01' }, null);
    expect(base).toBe('base:0x01');
    expect(namingsIdOf('base', { kind: 'transaction', txHash: '0x01' }, 7)).toBe('base:0x01:7');
    expect(namingsIdsOf({ network: 'base', txHash: '0x01', ordinal: 7 })).toStrictEqual(['base:0x01', 'base:0x01:7']);
    expect(namingsIdOf('base', { kind: 'exchange_transfer', id: '77' }, 7)).toBe('base:exchange:77');
    const ids = [namingIdOf(base, 'pi_1'), namingIdOf(base, 'pi_2'), namingIdOf('x', 'pi_1')];
    expect(new Set(ids).size).toBe(3);
  });

  it('waits a day, and is filed anew after it', () => {
    when([], file()).then([filed()]);
    when([filed()], file(), NOON + DAY_MS).then([]);
    when([filed()], file(), NOON + DAY_MS + 1).then([filed('pi_1', NOON + DAY_MS + 1)]);
  });

  it('is filed anew with another log_index, and after a refusal, not while people decide', () => {
    const other: NamingCommand = { ...file(), logIndex: 2 } as NamingCommand;
    const data = {
      payment_intent: 'pi_1',
      side: 'merchant',
      log_index: 2,
      expires_at: isoTime(NOON + DAY_MS),
    } as const;
    when([filed()], other).then([{ type: 'TransactionNamed', data }]);
    when([filed(), refusal], file()).then([filed()]);
    when([filed(), kept], file()).then([]);
  });

  it('of a merchant is not weakened at checkout, and one at checkout is strengthened by the merchant', () => {
    const atCheckout = { type: 'TransactionNamed', data: { ...filed().data, side: 'checkout' } } as const;
    when([filed()], { ...file(), side: 'checkout' } as NamingCommand).then([]);
    when([atCheckout as NamingEvent], file()).then([filed()]);
  });

  it('ends once', () => {
    when([filed()], keep).then([kept]);
    when([filed(), kept], keep).then([]);
    when([filed(), kept], attribute).then([attributed]);
    when([filed()], attribute).then([attributed]);
    when([filed(), attributed], attribute).then([]);
    when([filed()], refuse).then([refusal]);
    when([filed(), attributed], refuse).then([]);
    when([], keep).then([]);
    when([], attribute).then([]);
    when([], refuse).then([]);
  });

  it('is resolved by people with a note that has an end', () => {
    const resolution = { outcome: 'refused', transferId: null, note: 'no such money' } as const;
    const resolve = { type: 'resolve', paymentIntent: 'pi_1', ...resolution } as const;
    const { outcome, note } = resolution;
    const data = { payment_intent: 'pi_1', outcome, transfer_id: null, note } as const;
    when([filed(), kept], resolve).then([{ type: 'NamingResolved', data }]);
    when([filed()], { ...resolve, note: ' ' }).thenRefused('invalid_resolution', null);
    when([filed(), kept], { ...resolve, note: ' ' }).thenRefused('invalid_resolution', 'note');
    when([filed(), kept], { ...resolve, note: 'x'.repeat(501) }).thenRefused('parameter_invalid', 'note');
  });

  it('of an exchange goes to people at once', () => {
    when([], fileExchange).then([ofExchange]);
    when([ofExchange], fileExchange).then([]);
  });

  it('is one of twenty filings of its merchant at most, and of a thousand in all', () => {
    const filedBefore = (merchantsFilings: number, command = file()) =>
      ({ ...command, merchantsFilings }) as NamingCommand;
    const crowd = (count: number) => Array.from({ length: count }, (_, index) => filed(`pi_${index + 100}`));
    when(crowd(20), filedBefore(20)).thenRefused('duplicate_transaction');
    when(crowd(20), filedBefore(20, fileExchange)).thenRefused('duplicate_transaction');
    when(crowd(20), filedBefore(20, file('pi_100'))).then([]);
    when(crowd(20), filedBefore(19)).then([filed()]);
    when(crowd(999), file()).then([filed()]);
    const full = given(namings, crowd(1_000));
    full.when(file(), at(NOON)).thenRefused('duplicate_transaction');
    full.when(file('pi_100'), at(NOON + DAY_MS + 1)).thenRefused('duplicate_transaction');
  });

  it('of a stranger takes nothing from the limit of another merchant', () => {
    const crowd = Array.from({ length: 20 }, (_, index) => filed(`pi_${index + 100}`));
    when(crowd, file()).then([filed()]);
  });
});

describe('a naming on a transaction that is too large to be read for it', () => {
  const refer: NamingCommand = { type: 'refer', paymentIntent: 'pi_1', reason: 'transaction_too_large' };
  const referred: NamingEvent = {
    type: 'NamingReferred',
    data: { payment_intent: 'pi_1', reason: 'transaction_too_large' },
  };

  it('goes to people once, and is not filed anew while they look into it', () => {
    when([filed()], refer).then([referred]);
    when([filed(), referred], refer).then([]);
    when([filed(), referred], file()).then([]);
    when([filed(), attributed], refer).then([]);
  });

  it('may be attributed by them', () => {
    when([filed(), referred], attribute).then([attributed]);
  });
});
