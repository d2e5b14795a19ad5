import type { FormBody } from '../../src/platform/http/form-body';
import type { ErrorCode, Refusal } from '../../src/vocabulary/errors';
import type { FormFault } from '../parts/signed-context';
import { peopleFault } from '../words/people-faults';

/** Fields that no page shows again. */
const SECRET_FIELDS: readonly string[] = ['password', 'present', 'wanted', 'code', 'recovery_code', 'token'];

/** No field is wrong where the object's state refuses, whatever parameter an API names. */
const STATE_FAULTS: readonly ErrorCode[] = ['invalid_state_transition'];
const CODE_FAULTS: readonly ErrorCode[] = ['mfa_required', 'mfa_proof_invalid'];

/** The fault that a refused form's page shows; `action` is the address that the form was sent to. */
export function formFault(refusal: Refusal, action: string, form: FormBody): FormFault {
  const typed = Object.entries(form).filter(([name]) => !SECRET_FIELDS.includes(name));
  const { code } = refusal;
  const field = refusal.param ?? (CODE_FAULTS.includes(code) ? codeFieldOf(form) : null);
  const param = STATE_FAULTS.includes(code) ? null : field;
  return {
    ...{ action, code, param },
    text: peopleFault(refusal),
    typed: Object.fromEntries(typed),
  };
}

/** A refused code names no field, since the API takes codes in a header. */
function codeFieldOf(form: FormBody): string {
  return 'recovery_code' in form ? 'recovery_code' : 'code';
}
