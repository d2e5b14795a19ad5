import { learn, planTick, type Step } from '../../src/watchers/tick-plan';
import { watchPolicy } from '../../src/vocabulary/watch-policy';
import { BEGINNINGS, STANDING, SURPRISES } from '../watchers/tick-situations';

const TEST = watchPolicy('test', false);
const LIVE = watchPolicy('live', false);

/** The steps of a tick by the facts at its beginning. */
export function tickTable(): string {
  const rows = BEGINNINGS.map(([situation, known]) => {
    const at = { ...STANDING, ...known };
    const [inTestMode, inLiveMode] = [stepsOf(planTick(TEST, at)), stepsOf(planTick(LIVE, at))];
    return `| ${capital(situation)} | ${inTestMode} | ${inLiveMode === inTestMode ? 'the same' : inLiveMode} |`;
  });
  return ['| Situation | Steps in test mode | Steps in live mode |', '|---|---|---|', ...rows].join('\n');
}

/** The steps that are planned anew in live mode, by a step's finding. */
export function surpriseTable(): string {
  const rows = SURPRISES.map(([situation, known, findings]) => {
    const at = findings.reduce(learn, { ...STANDING, ...known });
    const names = findings.map(({ kind }) => `\`${kind}\``).join(', ');
    return `| ${capital(situation)} | ${names} | ${stepsOf(planTick(LIVE, at))} |`;
  });
  return ['| Situation | Findings | Steps |', '|---|---|---|', ...rows].join('\n');
}

function stepsOf(steps: readonly Step[]): string {
  return steps.map(({ kind }) => `\`${kind}\``).join(', ');
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
