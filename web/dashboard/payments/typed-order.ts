import { DESCRIPTION } from '../../../src/modules/payment-intents/payment-intent.commands';
import type { FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { keepsRule } from '../../../src/vocabulary/text-rules';
import { typedAmount, typedCurrency, typedMetadata, typedText } from '../typed-fields';

type Order = {
  readonly amountMinorUnits: bigint;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** The payment that somebody has typed. Throws the refusals of an amount, a currency, a description or metadata. */
export function typedOrder({ amount, currency: code, description: words, metadata }: FormBody): Order {
  const currency = typedCurrency(code);
  const description = typedText(words);
  if (description !== null && !keepsRule(description, DESCRIPTION)) {
    const message = `A description has at most ${DESCRIPTION.max} characters, and no control characters.`;
    throw refuse('parameter_invalid', { param: 'description', message });
  }
  return {
    currency: currency.code,
    amountMinorUnits: typedAmount(amount, currency, 'amount'),
    description,
    metadata: typedMetadata(metadata),
  };
}
