import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import { isRefusal, refuse, type ErrorCode, type Refusal } from '../../src/vocabulary/errors';
import type { Clock } from '../../src/kernel/clock';
import { fingerprint, recordId } from '../../src/platform/idempotency/fingerprint';
import type { IdempotencyRecords } from '../../src/platform/idempotency/idempotency-records';
import { KeyLease, type Answer } from '../../src/platform/idempotency/key-lease';
import type { Universe } from '../../src/vocabulary/modes';
import type { FormBody } from '../../src/platform/http/form-body';

const DONE = 303;
const FORM_ID = /^[0-9a-f]{32}$/;
/** The second of two clicks waits for the first one's answer. */
const WAIT_MS = 200;
const WAITS_LIMIT = 50;

export type FormRequest = {
  readonly mode: Universe;
  readonly merchantId: string;
  /** The object that the form is about, and what it does to it, such as `pi_…/method`. */
  readonly action: string;
  readonly form: FormBody;
  /** Milliseconds by the merchant's clock. */
  readonly nowMs: number;
};

/** The command of a form: its id and its first moment are the service's own, never the client's. */
export type FormCommand = { readonly commandId: string; readonly startedAt: number; readonly isFirstTry: boolean };

/** Lets each form have its effect once, however often it is sent. */
export class FormWork {
  constructor(
    private readonly records: IdempotencyRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * The path that the form leads to: that of its first sending, where it was sent before. Throws the refusal of `work`,
   * and Refusal parameter_invalid for a form's id that no page has made.
   */
  async once(request: FormRequest, work: (command: FormCommand) => Promise<string>): Promise<string> {
    const leased = await this.lease(request);
    if (!(leased instanceof KeyLease)) return pathOf(leased);
    const { commandId, commandedAtMs: startedAt, isFirstTry } = leased;
    try {
      const path = await work({ commandId, startedAt, isFirstTry });
      await leased.finish({ status: DONE, body: path }, false);
      return path;
    } catch (error) {
      const refusal = isRefusal(error) ? error : refuse('internal_error');
      await leased.finish(answerOf(refusal), false);
      throw error;
    }
  }

  private async lease({ mode, merchantId, action, form, nowMs }: FormRequest): Promise<KeyLease | Answer> {
    const { form_id: formId = '', ...fields } = form;
    if (!FORM_ID.test(formId)) throw refuse('parameter_invalid', { param: 'form_id' });
    const body = Buffer.from(JSON.stringify(fields));
    const asked = {
      id: recordId(action, formId),
      fingerprint: fingerprint('POST', action, body),
      owner: { universe: mode, merchantId },
      nowMs,
    };
    for (let waits = 0; ; waits++) {
      try {
        return await this.records.lease(asked);
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'idempotency_key_in_use' || waits >= WAITS_LIMIT) throw error;
        await this.clock.wait(WAIT_MS);
      }
    }
  }
}

/** The code, and the field where the refusal names one. */
function answerOf({ code, param }: Refusal): Answer {
  return { status: ERROR_CATALOGUE[code].status, body: param === null ? code : `${code} ${param}` };
}

function pathOf({ status, body }: Answer): string {
  if (status === DONE) return body;
  const [code, param] = body.split(' ') as [ErrorCode, string?];
  throw refuse(code, param === undefined ? {} : { param });
}
