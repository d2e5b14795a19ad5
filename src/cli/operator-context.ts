import type { PlatformContext } from '../kernel/command-context';
import { randomUuid } from '../kernel/entropy';
import type { Toolbox } from './toolbox';

/** A person who can run this program has the data in their hands already, so they act as the system's administrator. */
export function operatorContext({
  entropy,
  clock,
  user,
}: Pick<Toolbox, 'entropy' | 'clock' | 'user'>): PlatformContext<'platform'> {
  const commandId = `cli_${randomUuid(entropy)}`;
  return {
    commandId,
    universe: 'platform',
    merchantId: null,
    actor: { role: 'admin', type: 'system', id: `cli:${user}` },
    startedAt: clock.now(),
    now: clock.now(),
    requestId: null,
    correlationId: commandId,
    causationId: null,
    ip: null,
  };
}
