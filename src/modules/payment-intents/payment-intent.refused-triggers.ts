import { STATUSES, TRANSITIONS, type Status, type Transition, type Trigger } from './payment-intent.transitions';

/** The words for each trigger after "A payment cannot". */
const WORDS: Readonly<Record<Trigger, string>> = {
  create: 'be created again',
  select_method: 'be given a method',
  cancel: 'be canceled',
  expire: 'expire',
  see_transfer: 'take a transfer',
  turn_away: 'turn a transfer away',
  move_transfer: 'follow a transfer into another block',
  drop_transfer: 'let go of a transfer',
  lose_last_transfer: 'fail by the loss of its transfers',
  see_confirmation: 'begin to confirm',
  screen_payer: 'have its payers screened',
  reach_depth: 'count a transfer before its settlement',
  settle_exact: 'be settled',
  settle_short: 'be settled as underpaid',
  settle_inferred: 'be left to its merchant to confirm',
  settle_over: 'be settled as overpaid',
  credit_part: 'be credited with a part of a remainder',
  credit_whole: 'be credited with a remainder',
  ask_remainder: 'ask for a remainder',
  credit_late: 'be credited with late money',
  place_hold: 'be held',
  release_hold: 'be released from a hold',
  reject_hold: 'be rejected by compliance',
  accept: 'be accepted as paid',
  resolve_accepted: 'be accepted in review',
  resolve_rejected: 'be rejected in review',
  lose_settled_transfer: 'lose a transfer after its settlement',
};

/** Says in words that the status does not have the trigger's edge, and which statuses have it. */
export function refusedTrigger(status: Status, trigger: Trigger): string {
  const others = STATUSES.filter(each => TRANSITIONS[each][trigger] !== undefined);
  const allowed = others.length === 0 ? '' : ` That is possible in ${others.join(', ')}.`;
  return `A payment in ${status} cannot ${WORDS[trigger]}.${allowed}`;
}

/** Says in words whose edge the trigger is, to an actor who is none of them. */
export function forbiddenTrigger(status: Status | 'none', trigger: Trigger, { actors }: Transition): string {
  return `Only the ${actors.join(' or the ')} can let a payment in ${status} ${WORDS[trigger]}.`;
}
