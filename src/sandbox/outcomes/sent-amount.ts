import { refuse } from '../../vocabulary/errors';
import { ceilDiv } from '../../vocabulary/money';
import type { SandboxOutcome } from '../../vocabulary/sandbox-outcomes';
import type { Token } from '../../vocabulary/tokens';

/** A smaller amount is dust, which a watcher counts and does not keep. */
const LEAST_PER_TOKEN = 100n;

/**
 * The amount that the payer sends, in base units, where `due` is asked for. The payer sends `due` itself unless the
 * outcome is `short` or `over`. For these two the payer sends `wanted`, or else about half of `due`, or one and a half
 * of `due`. Such an amount is moved between two amounts of the grid, so that no other payment is paid by it. Throws
 * Refusal parameter_invalid where `wanted` does not fit the outcome.
 */
export function sentBaseUnits(token: Token, outcome: SandboxOutcome, due: bigint, wanted: bigint | null): bigint {
  const isOff = outcome === 'short' || outcome === 'over';
  if (wanted !== null) {
    if (!isOff) throw misfit('token_amount is for the outcomes short and over.');
    checkWanted(token, outcome, due, wanted);
    return wanted;
  }
  if (!isOff) return due;
  return offGrid(token, outcome === 'short' ? due / 2n : ceilDiv(due * 3n, 2n));
}

function checkWanted(token: Token, outcome: 'short' | 'over', due: bigint, wanted: bigint): void {
  const tolerance = token.attributionToleranceBaseUnits;
  if (wanted * LEAST_PER_TOKEN < 10n ** BigInt(token.decimals)) throw misfit('token_amount is below 0.01.');
  if (outcome === 'short' && wanted >= due - tolerance) throw misfit('token_amount is not short of what is due.');
  if (outcome === 'over' && wanted <= due + tolerance) throw misfit('token_amount is not more than what is due.');
}

function offGrid({ stepBaseUnits }: Token, baseUnits: bigint): bigint {
  return baseUnits - (baseUnits % stepBaseUnits) + stepBaseUnits / 2n;
}

function misfit(message: string): Error {
  return refuse('parameter_invalid', { param: 'token_amount', message });
}
