import { refuse, type ErrorCode } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import type { Mode } from '../../../vocabulary/modes';
import { REASON } from '../../../vocabulary/reasons';
import type { TextRule } from '../../../vocabulary/text-rules';
import type { Presence } from './body-schema';
import type { FieldDecorator, Taken } from './field';
import { OneOf, Text } from './text-fields';
import { exampleId } from '../openapi-schema';

/** The reason of an administrator's action. */
export function Reason(code: ErrorCode = 'invalid_reason', rule: TextRule = REASON): FieldDecorator<string> {
  return Text({ ...rule, code, description: 'For whoever reads this later' });
}

/** The mode that an action is about. */
export function InMode<const Given extends Presence = 'required'>(
  presence?: Given,
): FieldDecorator<Taken<Mode, Given>> {
  return OneOf(['live', 'test'], { presence, code: 'invalid_mode', description: 'Live, or the sandbox' });
}

/** The merchant that an action is about. `merchantOf` judges whether there is an id at all. */
export function OfMerchant(): FieldDecorator<Taken<string, 'optional'>> {
  return Text({ presence: 'optional', code: 'invalid_merchant', example: exampleId('mch') });
}

/** Throws Refusal missing_merchant or invalid_merchant. The command refuses an unknown merchant. */
export function merchantOf({ merchant_id: id }: { readonly merchant_id?: string }): string {
  if (id === undefined) throw refuse('missing_merchant', { param: 'merchant_id' });
  if (!isId('mch', id)) throw refuse('invalid_merchant', { param: 'merchant_id' });
  return id;
}

/** The approval under which an action of four eyes is carried out; a proposal has none. */
export function ApprovalId(): FieldDecorator<Taken<string, 'optional'>> {
  return Text({
    presence: 'optional',
    description: 'The approval of this very action, by another administrator',
    example: exampleId('apr'),
  });
}
