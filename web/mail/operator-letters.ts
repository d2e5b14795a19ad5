import { money, networkName } from './facts-in-words';
import type { Letters } from './letter';

type OperatorName = 'set_aside' | 'behind' | 'caught_up' | 'hole_closed' | 'deferral_given_up' | 'lost_fee';

/** Mail to the operator, who works by the command line. */
export const OPERATOR_LETTERS: Letters<OperatorName> = {
  set_aside: ({ mode, network, holes, deferred, isFull, since }) => {
    const name = networkName(network, mode);
    return {
      subject: isFull ? `Scanning stands still on ${name}` : `Blocks or transfers are set aside on ${name}`,
      before: [
        isFull
          ? 'So much is set aside on this network that nothing more can be: new blocks are not read, and no quotes are given.'
          : 'Not all of this network can be read. Payments are still seen; deadlines that depend on what is missing wait.',
      ],
      facts: [
        ['Network', name],
        ['Blocks that cannot be read', String(holes)],
        ['Transfers that cannot be placed', String(deferred)],
        ['Since', since],
      ],
      after: [
        'The blocks and transfers are tried again every few seconds. The command `coverage` shows them; the log says why they wait.',
        'A block or transfer that no provider can ever tell is given up for good by `coverage close` (a block) or `coverage give-up` (a transfer).',
      ],
      action: null,
    };
  },
  behind: ({ mode, network, since, readUntil }) => {
    const name = networkName(network, mode);
    return {
      subject: `${name} is read too far behind its head`,
      before: [
        'The newest block that could be read is more than 5 minutes old: the network takes no new quotes, and no quote ends.',
        'Payments count by the time of their block: none is lost, and all are told when the network is read again.',
      ],
      facts: [
        ['Network', name],
        ['Read up to', readUntil ?? 'nothing yet'],
        ['Noticed at', since],
      ],
      after: [
        'The log names the providers that fail. The command `coverage` shows how far behind the network is.',
        `Where a provider stays away, name another one in ${network.toUpperCase()}_${mode.toUpperCase()}_RPC_URLS.`,
        'This message is sent once. Another one follows when the network has been read in time for 5 minutes.',
      ],
      action: null,
    };
  },
  caught_up: ({ mode, network, since, steadyAt }) => {
    const name = networkName(network, mode);
    return {
      subject: `${name} is read in time again`,
      before: ['The network has caught up: quotes are given again, and deadlines pass.'],
      facts: [
        ['Network', name],
        ['Behind since', since],
        ['Steady at', steadyAt],
      ],
      after: [],
      action: null,
    };
  },
  hole_closed: ({ mode, stream, why, givenUpBy, at }) => ({
    subject: `A block was given up unread (${mode} mode)`,
    before: [
      'An administrator has closed a hole in the coverage of a chain: deadlines pass, though the block was never read whole.',
    ],
    facts: [
      ['Hole', stream],
      ['Note', why],
      ['Closed by', givenUpBy],
      ['Closed at', at],
    ],
    after: ['A customer who paid in this block can still name the transaction.'],
    action: null,
  }),
  deferral_given_up: ({ mode, stream, why, givenUpBy, at }) => ({
    subject: `A deferred transfer was given up (${mode} mode)`,
    before: [
      'An administrator has ended the wait of a transfer that could not be placed: the deadlines of its payment pass.',
    ],
    facts: [
      ['Transfer', stream],
      ['Reason', why],
      ['Given up by', givenUpBy],
      ['Given up at', at],
    ],
    after: [
      'The transfer lies in the unmatched queue, where the queue could take it; its transaction can still be named.',
    ],
    action: null,
  }),
  lost_fee: ({ merchantId, paymentIntent, transferId, fee }) => ({
    subject: `A fee of ${money(fee)} may have to be given back`,
    before: [
      `The chain has taken back the transfer ${transferId} of a settled payment, for which a fee of ${money(fee)} is booked.`,
      'Nothing is adjusted by itself: such a transfer may yet come back in another block.',
    ],
    facts: [
      ['Merchant', merchantId],
      ['Payment', paymentIntent],
    ],
    after: [
      'Where the payment is lost for good, this command gives the fee back:',
      `\`npx quittance fee adjust ${merchantId} --currency ${fee.currency} --amount -${fee.minorUnits} --payment-intent ${paymentIntent} --memo "The payment was lost on chain" --id lost-${paymentIntent}\``,
    ],
    action: null,
  }),
};
