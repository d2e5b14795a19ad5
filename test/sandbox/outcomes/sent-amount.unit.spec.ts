import { isRefusal } from '../../../src/vocabulary/errors';
import { TOKENS, TOKEN_IDS } from '../../../src/vocabulary/tokens';
import { slotOfAmount } from '../../../src/modules/quotes/amount-grid';
import { sentBaseUnits } from '../../../src/sandbox/outcomes/sent-amount';
import { SANDBOX_OUTCOMES } from '../../../src/vocabulary/sandbox-outcomes';

const OFF = ['short', 'over'] as const;

describe.each(TOKEN_IDS)('what a customer of the sandbox sends in %s', tokenId => {
  const token = TOKENS[tokenId];
  const whole = 10n ** BigInt(token.decimals);
  const due = 27n * whole + 12_970n * token.stepBaseUnits;

  const sent = (outcome: (typeof SANDBOX_OUTCOMES)[number], wanted: bigint | null = null): bigint | string => {
    try {
      return sentBaseUnits(token, outcome, due, wanted);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return error.code;
    }
  };

  it('is what is due, whatever becomes of it', () => {
    for (const outcome of SANDBOX_OUTCOMES.filter(each => each !== 'short' && each !== 'over')) {
      expect(sent(outcome)).toBe(due);
      expect(sent(outcome, whole)).toBe('parameter_invalid');
    }
  });

  it.each(OFF)('is an amount that pays nobody else when it is %s', outcome => {
    const amount = sent(outcome) as bigint;
    expect(outcome === 'short' ? amount < due : amount > due).toBe(true);
    expect(slotOfAmount(token, amount)).toBeNull();
  });

  it('is what was wanted, where that is short or over beyond what counts as exact', () => {
    const tolerance = token.attributionToleranceBaseUnits;
    expect(sent('short', whole)).toBe(whole);
    expect(sent('short', due - tolerance - 1n)).toBe(due - tolerance - 1n);
    expect(sent('short', due - tolerance)).toBe('parameter_invalid');
    expect(sent('short', whole / 100n)).toBe(whole / 100n);
    expect(sent('short', whole / 100n - 1n)).toBe('parameter_invalid');
    expect(sent('over', due + tolerance + 1n)).toBe(due + tolerance + 1n);
    expect(sent('over', due + tolerance)).toBe('parameter_invalid');
  });
});
