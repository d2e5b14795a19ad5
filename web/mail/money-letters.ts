import type { MailFacts } from '../../src/kernel/ports/mail-kinds';
import { TOKENS } from '../../src/vocabulary/tokens';
import { money, networkName, toDashboard, tokenAmount } from './facts-in-words';
import type { Letters } from './letter';
import type { Fact } from './letter.page';

type MoneyName =
  | 'transfer_lost'
  | 'transfer_queued'
  | 'payment_inferred'
  | 'payment_came_late'
  | 'fee_invoice_issued'
  | 'pause_announced'
  | 'invoice_paid_again';

/** Mail to accounts about payments, transfers and fees. */
export const MONEY_LETTERS: Letters<MoneyName> = {
  transfer_lost: ({ mode, transferId, paymentIntent, at }, links) => ({
    subject: `A payment that was settled has lost its transfer (${mode} mode)`,
    before: [
      `The chain has taken back the transfer ${transferId}, which the payment ${paymentIntent} was settled with.`,
      'Such a reorganisation goes deeper than the network calls possible: it may yet bring the transfer back in another block.',
    ],
    facts: [
      ['Mode', mode],
      ['Noticed at', at],
    ],
    after: ['Look at your wallet before you ship, or clear it up with the customer.'],
    action: toDashboard(links),
  }),
  transfer_queued: ({ mode, transferId, txHash, tokenId, baseUnits, from, to }, links) => ({
    subject: `Money has come that matches no payment (${mode} mode)`,
    before: [
      `A transfer of ${tokenAmount(tokenId, baseUnits)} has reached your wallet on ${networkName(TOKENS[tokenId].network, mode)}, and no payment took it.`,
      'Other transfers may wait as well: this message comes once an hour at most.',
    ],
    facts: [
      ['Transfer', transferId],
      ['Transaction', txHash],
      ['From', from],
      ['Your address', to],
    ],
    after: [
      'Look at the payments that it may be meant for, and decide.',
      'Over the API, `GET /v1/unmatched_transfers` lists all transfers that wait.',
    ],
    action: toDashboard(links),
  }),
  // The message is for a payment with an inferred transfer, which only its merchant can confirm.
  payment_inferred: ({ mode, paymentIntent, tokenId, dueBaseUnits, received }, links) => ({
    subject: `A payment waits for your decision (${mode} mode)`,
    before: [
      'A transfer has come while one payment alone was open at your address, and its amount is near the amount due.',
      'It was credited to that payment. Your wallet receives other money too, so only you can confirm the payment.',
    ],
    facts: [
      ['Payment', paymentIntent],
      ['Due', tokenAmount(tokenId, dueBaseUnits)],
      ...received.flatMap(({ transferId, txHash, from, baseUnits }): readonly Fact[] => [
        ['Received', tokenAmount(tokenId, baseUnits)],
        ['Transfer', transferId],
        ['Transaction', txHash],
        ['From', from],
      ]),
    ],
    after: ['Look whether your customer has sent it, then accept or reject the payment.'],
    action: toDashboard(links),
  }),
  payment_came_late: ({ mode, paymentIntent, transferId, tokenId, dueBaseUnits, receivedBaseUnits }, links) => ({
    subject: `Money has come late for a payment (${mode} mode)`,
    before: [
      'A payment had expired before its money came. Accept what has come, or reject it and send it back yourself.',
    ],
    facts: [
      ['Payment', paymentIntent],
      ['Due', tokenAmount(tokenId, dueBaseUnits)],
      ['Received', tokenAmount(tokenId, receivedBaseUnits)],
      ['Transfer', transferId],
    ],
    after: ['The payment stays as it is until you decide.'],
    action: toDashboard(links),
  }),
  fee_invoice_issued: (facts, links) => ({
    subject: `Fee invoice ${facts.number} over ${money(facts.amount)}`,
    before: [`Your fees have been invoiced. Please pay ${money(facts.amount)} until ${facts.dueAt}.`],
    facts: feeFacts(facts),
    after: [
      `Name the number ${facts.number} with your payment.`,
      `Where nothing has come by ${facts.pausesAt}, live mode takes no new payments until it is paid.`,
      '`GET /v1/fees` lists each row of the ledger, and so does the dashboard.',
    ],
    action: toDashboard(links),
  }),
  pause_announced: (facts, links) => ({
    subject: `Live payments will be paused: fee invoice ${facts.number} is not paid`,
    before: [
      `The fee invoice ${facts.number} was due at ${facts.dueAt}, and no payment of it has been recorded.`,
      `Live mode takes no new payments from ${facts.pausesAt} on, until it is paid.`,
      'Payments that were created before are carried to their end.',
    ],
    facts: feeFacts(facts),
    after: [`If you have paid, write to support with the number ${facts.number}.`],
    action: toDashboard(links),
  }),
  invoice_paid_again: ({ mode, invoice, number, amount, isVoid, paidBy, paymentIntent }, links) => ({
    subject: `The invoice ${number} was paid ${isVoid ? 'though it is void' : 'a second time'} (${mode} mode)`,
    before: [
      isVoid
        ? 'A payment of an invoice was confirmed after you had voided the invoice.'
        : 'A further payment of an invoice was confirmed, though the invoice was paid already.',
    ],
    facts: [
      ['Invoice', `${number} (${invoice})`],
      ['Amount', money(amount)],
      ...(paidBy === null ? [] : [['Paid by', paidBy] as const]),
      ['Payment that came on top', paymentIntent],
    ],
    after: ['The money lies in your wallet. Clear it up with your customer.'],
    action: toDashboard(links),
  }),
};

function feeFacts({ id, number, amount, dueAt }: MailFacts['fee_invoice_issued']): readonly Fact[] {
  return [
    ['Number', number],
    ['Amount', money(amount)],
    ['Due', dueAt],
    ['Fee invoice', id],
  ];
}
