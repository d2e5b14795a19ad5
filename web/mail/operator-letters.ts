import { inMode, money, networkInMode } from './facts-in-words';
import type { Letters } from './letter';
import type { MailKey } from './mail-languages';

type OperatorName = 'set_aside' | 'behind' | 'caught_up' | 'hole_closed' | 'deferral_given_up' | 'lost_fee';

/** Mail to the operator, who works by the command line. */
export const OPERATOR_LETTERS: Letters<OperatorName, MailKey> = {
  set_aside: ({ mode, network: id, holes, deferred, isFull, since }, language) => {
    const network = networkInMode(language, id, mode);
    return {
      subject: language.say(isFull ? 'set_aside.full_subject' : 'set_aside.subject', { network }),
      before: [language.say(isFull ? 'set_aside.full' : 'set_aside.what')],
      facts: [
        [language.say('fact.network'), network],
        [language.say('fact.holes'), String(holes)],
        [language.say('fact.deferred'), String(deferred)],
        [language.say('fact.since'), since],
      ],
      after: [language.say('set_aside.retried'), language.say('set_aside.give_up')],
      action: null,
    };
  },
  behind: ({ mode, network: id, since, readUntil }, language) => {
    const network = networkInMode(language, id, mode);
    return {
      subject: language.say('behind.subject', { network }),
      before: [language.say('behind.what'), language.say('behind.nothing_lost')],
      facts: [
        [language.say('fact.network'), network],
        [language.say('fact.read_until'), readUntil ?? language.say('value.nothing_yet')],
        [language.say('fact.noticed_at'), since],
      ],
      after: [
        language.say('behind.look'),
        language.say('behind.another_provider', { variable: `${id.toUpperCase()}_${mode.toUpperCase()}_RPC_URLS` }),
        language.say('behind.once'),
      ],
      action: null,
    };
  },
  caught_up: ({ mode, network: id, since, steadyAt }, language) => {
    const network = networkInMode(language, id, mode);
    return {
      subject: language.say('caught_up.subject', { network }),
      before: [language.say('caught_up.what')],
      facts: [
        [language.say('fact.network'), network],
        [language.say('fact.behind_since'), since],
        [language.say('fact.steady_at'), steadyAt],
      ],
      after: [],
      action: null,
    };
  },
  hole_closed: ({ mode, stream, why, givenUpBy, at }, language) => ({
    subject: inMode(language, 'hole_closed.subject', mode),
    before: [language.say('hole_closed.what')],
    facts: [
      [language.say('fact.hole'), stream],
      [language.say('fact.note'), why],
      [language.say('fact.closed_by'), givenUpBy],
      [language.say('fact.closed_at'), at],
    ],
    after: [language.say('hole_closed.next')],
    action: null,
  }),
  deferral_given_up: ({ mode, stream, why, givenUpBy, at }, language) => ({
    subject: inMode(language, 'deferral_given_up.subject', mode),
    before: [language.say('deferral_given_up.what')],
    facts: [
      [language.say('fact.transfer'), stream],
      [language.say('fact.reason'), why],
      [language.say('fact.given_up_by'), givenUpBy],
      [language.say('fact.given_up_at'), at],
    ],
    after: [language.say('deferral_given_up.next')],
    action: null,
  }),
  lost_fee: ({ merchantId, paymentIntent, transferId: transfer, fee }, language) => ({
    subject: language.say('lost_fee.subject', { fee: money(fee) }),
    before: [language.say('lost_fee.what', { transfer, fee: money(fee) }), language.say('lost_fee.not_adjusted')],
    facts: [
      [language.say('fact.merchant'), merchantId],
      [language.say('fact.payment'), paymentIntent],
    ],
    after: [
      language.say('lost_fee.next'),
      `\`npx quittance fee adjust ${merchantId} --currency ${fee.currency} --amount -${fee.minorUnits} --payment-intent ${paymentIntent} --memo "The payment was lost on chain" --id lost-${paymentIntent}\``,
    ],
    action: null,
  }),
};
