import type { ErrorCode } from '../../../src/vocabulary/errors';
import { ACTOR_ROLES, type ActorRole } from '../../../src/kernel/event';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import {
  STATUSES,
  TRIGGERS,
  type Status,
  type Trigger,
} from '../../../src/modules/payment-intents/payment-intent.transitions';
import { given } from '../../support/given-when-then';
import { AFTER_EXPIRY, HISTORIES, SCENARIOS } from './histories';

/**
 * The specification's edges, written down a second time and apart from the table: from, trigger, actors, to, events.
 */
const EDGES = `
none              create                api,checkout,merchant  created           PaymentIntentCreated
created           select_method         api,checkout           awaiting_payment  MethodSelected
created           cancel                merchant               canceled          PaymentCanceled
awaiting_payment  cancel                merchant               canceled          PaymentCanceled
awaiting_payment  see_transfer          watcher                detected          TransferDetected
awaiting_payment  expire                sweeper                expired           QuoteExpired
detected          see_transfer          watcher                detected          TransferDetected
detected          turn_away             watcher                detected          TransferLimitReached
detected          drop_transfer         watcher                detected          TransferDropped
detected          lose_last_transfer    watcher                failed            PaymentFailed
detected          see_confirmation      watcher                confirming        ConfirmationSeen
confirming        see_transfer          watcher                confirming        TransferDetected
confirming        turn_away             watcher                confirming        TransferLimitReached
confirming        drop_transfer         watcher                confirming        TransferDropped
confirming        lose_last_transfer    watcher                failed            PaymentFailed
confirming        screen_payer          watcher                confirming        PayerScreened
confirming        reach_depth           watcher                confirming        DepthReached
confirming        settle_exact          watcher                confirmed         PaymentConfirmed
confirming        settle_short          watcher                underpaid         PaymentUnderpaid
confirming        settle_inferred       watcher                underpaid         PaymentUnderpaid
confirming        settle_over           watcher                overpaid          PaymentOverpaid
confirming        place_hold            compliance             confirming        HoldPlaced
confirming        release_hold          compliance             confirming        HoldReleased
confirming        reject_hold           compliance             failed            HoldRejected
underpaid         see_transfer          matcher                underpaid         TransferDetected
underpaid         turn_away             matcher                underpaid         TransferLimitReached
underpaid         move_transfer         watcher                underpaid         TransferMoved
underpaid         drop_transfer         watcher                underpaid         TransferDropped
underpaid         screen_payer          watcher                underpaid         PayerScreened
underpaid         credit_part           matcher                underpaid         RemainderCredited,RemainderReserved
underpaid         credit_whole          matcher                confirmed         RemainderCredited,PaymentConfirmed
underpaid         ask_remainder         watcher                underpaid         RemainderReserved
underpaid         accept                merchant               confirmed         PaymentAccepted,PaymentConfirmed
underpaid         resolve_accepted      merchant               confirmed         PaymentAccepted,PaymentConfirmed
underpaid         resolve_rejected      merchant,admin         underpaid         ReviewResolved,TransferDropped
underpaid         place_hold            compliance             underpaid         HoldPlaced
underpaid         release_hold          compliance             underpaid         HoldReleased
underpaid         reject_hold           compliance             underpaid         HoldRejected
expired           see_transfer          matcher                expired           TransferDetected
expired           turn_away             matcher                expired           TransferLimitReached
expired           drop_transfer         watcher                expired           TransferDropped
expired           screen_payer          watcher                expired           PayerScreened
expired           credit_late           matcher                paid_late         PaidLate
paid_late         move_transfer         watcher                paid_late         TransferMoved
paid_late         drop_transfer         watcher                paid_late         TransferDropped
paid_late         screen_payer          watcher                paid_late         PayerScreened
paid_late         credit_late           matcher                paid_late         PaidLate
paid_late         resolve_accepted      merchant,admin         confirmed         ReviewResolved,PaymentConfirmed
paid_late         resolve_rejected      merchant,admin         paid_late         ReviewResolved
paid_late         place_hold            compliance             paid_late         HoldPlaced
paid_late         release_hold          compliance             paid_late         HoldReleased
paid_late         reject_hold           compliance             paid_late         HoldRejected
confirmed         move_transfer         watcher                confirmed         TransferMoved
confirmed         drop_transfer         watcher                confirmed         TransferDropped
confirmed         lose_settled_transfer watcher                confirmed         SettledTransferLost
overpaid          move_transfer         watcher                overpaid          TransferMoved
overpaid          lose_settled_transfer watcher                overpaid          SettledTransferLost
failed            move_transfer         watcher                failed            TransferMoved
failed            drop_transfer         watcher                failed            TransferDropped
`;

type Edge = { readonly actors: readonly string[]; readonly to: string; readonly events: readonly string[] };

const edges = new Map<string, Edge>(
  EDGES.trim()
    .split('\n')
    .map(line => {
      const [from, trigger, actors, to, events] = line.split(/\s+/) as [string, string, string, string, string];
      return [`${from} ${trigger}`, { actors: actors.split(','), to, events: events.split(',') }];
    }),
);

const FROM: readonly (Status | 'none')[] = ['none', ...STATUSES];

/** The outcome where a role pulls the trigger in the status. */
function situation(from: Status | 'none', trigger: Trigger) {
  const { command, before } = SCENARIOS[trigger];
  const story = given(paymentIntents, [...HISTORIES[from], ...(from === 'none' ? [] : (before?.[from] ?? []))]);
  return (role: string) => {
    const actor = { role: role as ActorRole, type: 'system', id: 'x' } as const;
    return story.when(command, { actor, now: AFTER_EXPIRY });
  };
}

/** A trigger that shares its command with another: without its edge, the other may be taken. */
const SHARED: Partial<Record<Trigger, readonly Trigger[]>> = {
  turn_away: ['see_transfer'],
  drop_transfer: ['lose_last_transfer'],
  lose_last_transfer: ['drop_transfer'],
  settle_short: ['settle_exact'],
  settle_inferred: ['settle_exact'],
  settle_over: ['settle_exact'],
  credit_part: ['credit_whole'],
  credit_whole: ['credit_part'],
};

function refusalWithoutEdge(from: Status | 'none', trigger: Trigger): ErrorCode {
  if (trigger === 'release_hold' || trigger === 'reject_hold')
    return from === 'failed' ? 'hold_already_resolved' : 'hold_not_found';
  if (from === 'none') return 'payment_not_found';
  if (trigger === 'accept') return 'payment_not_underpaid';
  if (trigger === 'resolve_accepted' || trigger === 'resolve_rejected') return 'payment_not_resolvable';
  return 'invalid_state_transition';
}

describe('state x trigger x actor', () => {
  it('covers every edge of the specification and no other status or trigger', () => {
    expect(edges.size).toBe(59);
    for (const key of edges.keys()) {
      const [from, trigger] = key.split(' ') as [Status | 'none', Trigger];
      expect(FROM).toContain(from);
      expect(TRIGGERS).toContain(trigger);
    }
  });

  for (const from of FROM) {
    for (const trigger of TRIGGERS) {
      const edge = edges.get(`${from} ${trigger}`);
      const shares = (SHARED[trigger] ?? []).some(other => edges.has(`${from} ${other}`));
      if (!edge && shares) continue;
      it(`${from} x ${trigger}`, () => {
        const attempt = situation(from, trigger);
        for (const role of ACTOR_ROLES) {
          const isAlreadySo = trigger === 'see_confirmation' && from === 'confirming';
          if (!edge && isAlreadySo) attempt(role).then([]);
          else if (!edge) attempt(role).thenRefused(refusalWithoutEdge(from, trigger));
          else if (!edge.actors.includes(role)) attempt(role).thenRefused('forbidden_actor');
          else expect(attempt(role).thenTypes(edge.events).status).toBe(edge.to);
        }
      });
    }
  }

  it('refuses an actor that does not exist', () => {
    situation('created', 'cancel')('janitor').thenRefused('invalid_actor');
  });
});
