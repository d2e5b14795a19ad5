import { z } from 'zod';
import { ask, bytesOf, NoAnswer, OtherStatus, PauseWanted, ResponseTooLarge } from '../platform/outbound/http-client';
import { SECOND_MS } from '../kernel/clock';
import { ERROR_CATALOGUE } from '../vocabulary/error-catalogue';
import { isRefusal, refuse, type ErrorCode } from '../vocabulary/errors';

/** The sandbox answers a transfer once its blocks have passed. */
const TIMEOUT_MS = 60 * SECOND_MS;
/** A page of 100 payments is far below. */
const MOST_BYTES = 16 * 1_024 * 1_024;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_FAULT = 500;

/** Each of these answers is JSON of the service; another one comes from its gateway. */
const STATUSES = [200, 201, 202, ...Object.values(ERROR_CATALOGUE).map(({ status }) => status)];
const ENVELOPE = z.object({
  error: z.object({ code: z.string(), message: z.string(), param: z.string().nullish() }),
});

/** The service at the address did not answer, or something else answered. */
class NoService extends Error {
  constructor(baseUrl: string, fault: string) {
    super(`No answer from ${baseUrl} (${fault}). Is the service running there? --url names another address.`);
    this.name = 'NoService';
  }
}

/** Whether the same question may be answered in a moment. */
export function isPassing(error: unknown): boolean {
  if (!isRefusal(error)) return error instanceof NoService;
  const { status } = ERROR_CATALOGUE[error.code];
  return status === TOO_MANY_REQUESTS || status >= FIRST_SERVER_FAULT;
}

/** The API as an integrator's program has it: with a key, and over HTTP alone. */
export class ServiceApi {
  constructor(
    /** Without a slash at its end. */
    readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Throws NoService, or the refusal that the service answers. A `body` is posted. */
  async call<T>(path: string, shape: z.ZodType<T>, body?: object): Promise<T> {
    const answer = await this.answerOf(path, body);
    const refused = ENVELOPE.safeParse(answer);
    if (refused.success) throw refusalOf(refused.data.error);
    const read = shape.safeParse(answer);
    if (!read.success) throw new NoService(this.baseUrl, 'it answers in another form');
    return read.data;
  }

  private async answerOf(path: string, body: object | undefined): Promise<unknown> {
    const request = {
      url: `${this.baseUrl}${path}`,
      headers: { authorization: `Bearer ${this.key}` },
      body,
      statuses: STATUSES,
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_BYTES,
    };
    try {
      return JSON.parse((await ask(request, bytesOf)).toString('utf8')) as unknown;
    } catch (error) {
      throw new NoService(this.baseUrl, faultOf(error));
    }
  }
}

function refusalOf({ code, message, param }: z.infer<typeof ENVELOPE>['error']): Error {
  if (!Object.hasOwn(ERROR_CATALOGUE, code)) return new Error(`${code}: ${message}`);
  return refuse(code as ErrorCode, { message, ...(typeof param === 'string' && { param }) });
}

function faultOf(error: unknown): string {
  if (error instanceof NoAnswer) return error.code;
  if (error instanceof OtherStatus || error instanceof PauseWanted) return `status ${error.status}`;
  if (error instanceof ResponseTooLarge) return error.message;
  if (error instanceof SyntaxError) return 'it answers no JSON';
  throw error;
}
