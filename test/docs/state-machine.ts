import { STATUSES, TRANSITIONS } from '../../src/modules/payment-intents/payment-intent.transitions';

const OUTSIDE = '[*]';

/** The triggers of a state, by the state that they lead to. */
function triggersByTarget(from: keyof typeof TRANSITIONS): ReadonlyMap<string, readonly string[]> {
  const triggers = new Map<string, string[]>();
  for (const [trigger, { to }] of Object.entries(TRANSITIONS[from])) {
    const known = triggers.get(to);
    if (known) known.push(trigger);
    else triggers.set(to, [trigger]);
  }
  return triggers;
}

/** The payment's state machine as a Mermaid diagram: one arrow from a state to another one, with all its triggers. */
export function stateDiagram(): string {
  const arrows = (['none', ...STATUSES] as const).flatMap(from => {
    const outward = [...triggersByTarget(from)].filter(([to]) => to !== from);
    if (outward.length === 0) return [`    ${from} --> ${OUTSIDE}`];
    const start = from === 'none' ? OUTSIDE : from;
    return outward.map(([to, triggers]) => `    ${start} --> ${to}: ${triggers.join(', ')}`);
  });
  return ['```mermaid', 'stateDiagram-v2', ...arrows, '```'].join('\n');
}

/** The triggers that the diagram leaves out: each is recorded, and the state stays as it is. */
export function stayingTable(): string {
  const rows = STATUSES.flatMap(status => {
    const triggers = triggersByTarget(status).get(status) ?? [];
    return triggers.length > 0 ? [`| \`${status}\` | ${triggers.map(name => `\`${name}\``).join(', ')} |`] : [];
  });
  return ['| State | Triggers that leave the state as it is |', '|---|---|', ...rows].join('\n');
}
