import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { VelocityLimit } from '../../vocabulary/payment-limits';
import type { VelocityLimitEvent, VelocitySubject } from './velocity-limit.events';
import { checkedLimit, limitOf } from './velocity-limit-terms';

/** The limit that stands; null where none does. */
type Standing = VelocityLimit | null;

type VelocityLimitCommand =
  | { readonly type: 'set'; readonly subject: VelocitySubject; readonly limit: VelocityLimit }
  | { readonly type: 'lift'; readonly subject: VelocitySubject; readonly reason: string };

function decide(command: VelocityLimitCommand, standing: Standing): readonly VelocityLimitEvent[] {
  const { type, subject } = command;
  switch (type) {
    case 'set': {
      const { windowMs, maxCount, maxAmountUsdMinorUnits } = checkedLimit(command.limit);
      if (standing !== null && isSame(standing, command.limit)) return [];
      const data = {
        subject,
        window_ms: windowMs,
        max_count: maxCount,
        max_amount_usd_minor_units: maxAmountUsdMinorUnits.toString(),
      };
      return [{ type: 'VelocityLimitSet', data }];
    }
    case 'lift':
      return standing === null ? [] : [{ type: 'VelocityLimitLifted', data: { subject, reason: command.reason } }];
    default:
      return unreachable(type);
  }
}

function isSame(one: VelocityLimit, other: VelocityLimit): boolean {
  return (
    one.windowMs === other.windowMs &&
    one.maxCount === other.maxCount &&
    one.maxAmountUsdMinorUnits === other.maxAmountUsdMinorUnits
  );
}

function evolve(_: Standing, { type, data }: VelocityLimitEvent): Standing {
  if (type === 'VelocityLimitLifted') return null;
  return limitOf(data);
}

export const velocityLimits: Aggregate<Standing, VelocityLimitCommand, VelocityLimitEvent> = {
  category: 'velocity_limit',
  notFound: null,
  initial: null,
  decide,
  evolve,
};
