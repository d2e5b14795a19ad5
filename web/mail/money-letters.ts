import type { MailFacts } from '../../src/modules/outbox/mail-kinds';
import { TOKENS } from '../../src/vocabulary/tokens';
import type { Language } from '../words/language';
import { inMode, modeFact, momentText, money, networkInMode, toDashboard, tokenAmount } from './facts-in-words';
import type { Letters } from './letter';
import type { Fact } from './letter.page';
import type { MailKey } from './mail-languages';

type MoneyName =
  | 'transfer_lost'
  | 'transfer_queued'
  | 'payment_inferred'
  | 'payment_came_late'
  | 'fee_invoice_issued'
  | 'pause_announced'
  | 'invoice_paid_again';

/** Mail to accounts about payments, transfers and fees. */
export const MONEY_LETTERS: Letters<MoneyName, MailKey> = {
  transfer_lost: ({ mode, transferId: transfer, paymentIntent: payment, at }, language, links) => ({
    subject: inMode(language, 'transfer_lost.subject', mode),
    before: [language.say('transfer_lost.what', { transfer, payment }), language.say('transfer_lost.how')],
    facts: [modeFact(language, mode), [language.say('fact.noticed_at'), momentText(language, at)]],
    after: [language.say('transfer_lost.next')],
    action: toDashboard(language, links),
  }),
  transfer_queued: ({ mode, transferId, txHash, tokenId, baseUnits, from, to }, language, links) => ({
    subject: inMode(language, 'transfer_queued.subject', mode),
    before: [
      language.say('transfer_queued.what', {
        amount: tokenAmount(tokenId, baseUnits),
        network: networkInMode(language, TOKENS[tokenId].network, mode),
      }),
      language.say('transfer_queued.others'),
    ],
    facts: [
      [language.say('fact.transfer'), transferId],
      [language.say('fact.transaction'), txHash],
      [language.say('fact.from'), from],
      [language.say('fact.your_address'), to],
    ],
    after: [language.say('transfer_queued.next'), language.say('transfer_queued.api')],
    action: toDashboard(language, links),
  }),
  // The message is for a payment with an inferred transfer, which only its merchant can confirm.
  payment_inferred: ({ mode, paymentIntent, tokenId, dueBaseUnits, received }, language, links) => ({
    subject: inMode(language, 'payment_inferred.subject', mode),
    before: [language.say('payment_inferred.what'), language.say('payment_inferred.why')],
    facts: [
      [language.say('fact.payment'), paymentIntent],
      [language.say('fact.due'), tokenAmount(tokenId, dueBaseUnits)],
      ...received.flatMap(({ transferId, txHash, from, baseUnits }): readonly Fact[] => [
        [language.say('fact.received'), tokenAmount(tokenId, baseUnits)],
        [language.say('fact.transfer'), transferId],
        [language.say('fact.transaction'), txHash],
        [language.say('fact.from'), from],
      ]),
    ],
    after: [language.say('payment_inferred.next')],
    action: toDashboard(language, links),
  }),
  payment_came_late: (facts, language, links) => ({
    subject: inMode(language, 'payment_came_late.subject', facts.mode),
    before: [language.say('payment_came_late.what')],
    facts: [
      [language.say('fact.payment'), facts.paymentIntent],
      [language.say('fact.due'), tokenAmount(facts.tokenId, facts.dueBaseUnits)],
      [language.say('fact.received'), tokenAmount(facts.tokenId, facts.receivedBaseUnits)],
      [language.say('fact.transfer'), facts.transferId],
    ],
    after: [language.say('payment_came_late.stays')],
    action: toDashboard(language, links),
  }),
  fee_invoice_issued: (facts, language, links) => ({
    subject: language.say('fee_invoice_issued.subject', { number: facts.number, amount: money(facts.amount) }),
    before: [
      language.say('fee_invoice_issued.what', { amount: money(facts.amount), due: momentText(language, facts.dueAt) }),
    ],
    facts: feeFacts(facts, language),
    after: [
      language.say('fee_invoice_issued.name', { number: facts.number }),
      language.say('fee_invoice_issued.pause', { pause: momentText(language, facts.pausesAt) }),
      language.say('fee_invoice_issued.ledger'),
    ],
    action: toDashboard(language, links),
  }),
  pause_announced: (facts, language, links) => ({
    subject: language.say('pause_announced.subject', { number: facts.number }),
    before: [
      language.say('pause_announced.what', { number: facts.number, due: momentText(language, facts.dueAt) }),
      language.say('pause_announced.pause', { pause: momentText(language, facts.pausesAt) }),
      language.say('pause_announced.before'),
    ],
    facts: feeFacts(facts, language),
    after: [language.say('pause_announced.paid', { number: facts.number })],
    action: toDashboard(language, links),
  }),
  invoice_paid_again: ({ mode, invoice, number, amount, isVoid, paidBy, paymentIntent }, language, links) => ({
    subject: inMode(language, isVoid ? 'invoice_paid_again.void_subject' : 'invoice_paid_again.subject', mode, {
      number,
    }),
    before: [language.say(isVoid ? 'invoice_paid_again.void' : 'invoice_paid_again.what')],
    facts: [
      [language.say('fact.invoice'), language.say('invoice_paid_again.number', { number, invoice })],
      [language.say('fact.amount'), money(amount)],
      ...(paidBy === null ? [] : [[language.say('fact.paid_by'), paidBy] as const]),
      [language.say('fact.further_payment'), paymentIntent],
    ],
    after: [language.say('invoice_paid_again.next')],
    action: toDashboard(language, links),
  }),
};

function feeFacts(
  { id, number, amount, dueAt }: MailFacts['fee_invoice_issued'],
  language: Language<MailKey>,
): readonly Fact[] {
  return [
    [language.say('fact.number'), number],
    [language.say('fact.amount'), money(amount)],
    [language.say('fact.due'), momentText(language, dueAt)],
    [language.say('fact.fee_invoice'), id],
  ];
}
