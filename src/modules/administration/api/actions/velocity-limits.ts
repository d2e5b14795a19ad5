import { Reason } from '../../../../platform/http/fields/admin-fields';
import { MinorUnits, Whole } from '../../../../platform/http/fields/value-fields';
import { Text } from '../../../../platform/http/fields/text-fields';
import { LiftVelocityLimit, SetVelocityLimit } from '../../../controls/commands/velocity-limit.command';
import {
  GREATEST_COUNT,
  LONGEST_WINDOW_MS,
  SHORTEST_WINDOW_MS,
  velocitySubjectOf,
} from '../../../controls/velocity-limit-terms';
import { VELOCITY_SUBJECTS } from '../../../controls/velocity-limit.events';
import { velocityLimitsReadModel, type VelocityLimitDocument } from '../../../controls/velocity-limits.read-model';
import { row, settingAction, type ActionReads } from '../admin-action';

class SetVelocityLimitDto {
  @Text({
    code: 'invalid_velocity_subject',
    later: { enum: VELOCITY_SUBJECTS },
    description: 'The kind of subject that is limited: each merchant, each wallet, or each address of a payer',
    example: 'merchant',
  })
  subject!: string;

  @Whole({
    min: SHORTEST_WINDOW_MS,
    max: LONGEST_WINDOW_MS,
    code: 'invalid_velocity_window',
    description: 'Every span of so many milliseconds is looked at',
    example: 3_600_000,
  })
  window_ms!: number;

  @Whole({ min: 0, max: GREATEST_COUNT, code: 'invalid_velocity_limits', description: 'Payments in such a span' })
  max_count!: number;

  @MinorUnits('invalid_velocity_limits', 'The sum of the payments in such a span, in dollar cents', '50000000')
  max_amount_usd!: string;
}

class LiftVelocityLimitDto {
  @Reason()
  reason!: string;
}

/** The limit that stands; null where none does. */
async function standing({ find }: ActionReads, subject: string): Promise<VelocityLimitDocument | null> {
  const found = await find(velocityLimitsReadModel, ['platform'], velocitySubjectOf(subject));
  return found?.body.is_set ? found.body : null;
}

const SUBJECTS = {
  merchant: 'Each merchant',
  wallet: 'Each wallet',
  payer_address: 'Each address of a payer',
} as const;
const ofEach = (subject: string) => `${SUBJECTS[velocitySubjectOf(subject)]}, in either mode.`;
const textOf = (value: number | undefined): string | null => (value === undefined ? null : String(value));

export const setVelocityLimit = settingAction({
  permission: 'controls.edit',
  path: 'velocity_limits',
  summary: 'Limit the payments of each merchant, wallet or payer in a span of time',
  body: SetVelocityLimitDto,
  refuses: ['invalid_velocity_subject', 'invalid_velocity_window', 'invalid_velocity_limits'],
  targetOf: ({ subject }) => subject,
  look: async (reads, { target }) => ({ limit: await standing(reads, target) }),
  difference: ({ limit }, { window_ms, max_count, max_amount_usd }) => [
    row('window_ms', textOf(limit?.window_ms), String(window_ms)),
    row('max_count', textOf(limit?.max_count), String(max_count)),
    row('max_amount_usd', limit?.max_amount_usd_minor_units ?? null, max_amount_usd),
  ],
  words: (_, { target }) => ({
    does:
      target === 'payer_address'
        ? 'Holds the payments of a payer who is over the limit, until somebody decides about each.'
        : 'Refuses payments over the limit from the next request on. Payments before the first limit are not counted.',
    to: ofEach(target),
    cannotUndo: 'Payments that are refused meanwhile are lost to their merchants. The limit can be lifted.',
  }),
  command: ({ target, body: { window_ms: windowMs, max_count: maxCount, max_amount_usd: amount }, execution }) => {
    const limit = { windowMs, maxCount, maxAmountUsdMinorUnits: BigInt(amount) };
    return new SetVelocityLimit(target, limit, execution.context);
  },
});

export const liftVelocityLimit = settingAction({
  permission: 'controls.edit',
  path: 'velocity_limits/:id/lift',
  summary: 'Lift a limit on payments in a span of time',
  body: LiftVelocityLimitDto,
  refuses: ['invalid_velocity_subject', 'invalid_reason'],
  look: async (reads, { target }) => ({ limit: await standing(reads, target) }),
  difference: ({ limit }, { reason }) => [
    row('limit', limit === null ? 'lifted' : 'set', 'lifted'),
    row('reason', null, reason),
  ],
  words: (_, { target }) => ({
    does: 'Takes payments without this limit from the next request on.',
    to: ofEach(target),
    cannotUndo: 'Nothing: the limit can be set again.',
  }),
  command: ({ target, body, execution }) => new LiftVelocityLimit(target, body.reason, execution.context),
});
