import { isRefusal } from '../../../vocabulary/errors';
import { isProviderFault } from '../../../kernel/outage';
import { OtherStatus, PauseWanted, ResponseTooLarge } from '../../outbound/http-client';
import { isInvalid } from '../readings';
import { isOfExecution, RpcError } from './json-rpc';

/** The limit of the strictest widespread free plan (Alchemy's). */
const START_BLOCKS = 10;
const MOST_BLOCKS = 1_000;
/** A limit is tried again after so many answers: quiet blocks follow busy ones. */
const ANSWERS_UNTIL_RETRY = 200;

const LIMIT_EXCEEDED = -32_005;
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;
const METHOD_NOT_SUPPORTED = -32_004;
/** A node's own answer would be too long. https://github.com/ethereum/go-ethereum/blob/master/rpc/errors.go */
const RESPONSE_TOO_LARGE = -32_003;
const WIDTH_CODES: readonly number[] = [LIMIT_EXCEEDED, INVALID_PARAMS, RESPONSE_TOO_LARGE];
const LIMIT_WORDS = /range|limit|too many|too large|more than/i;
const UNAVAILABLE_WORDS = /disabled|not (?:supported|available|allowed|enabled)|does ?n[o']t (?:exist|support)/i;
/** The questions are too many, not too wide: the codes are the same, and the word "limit" is often in the text. */
export const RATE_WORDS =
  /\brate|per (?:second|minute|day)|too many requests|request (?:count|limit)|throttl|quota|credits|capacity/i;

const TOO_LARGE = 413;
const AMOUNT_WORDS = /too many|too large|more than|results|logs/i;
/** Statuses of gateways for answers that they do not pass on, or that took the node too long. */
const TOO_MUCH_STATUSES: readonly number[] = [TOO_LARGE, 500, 502, 504];

/** The statuses among these that may tell of the logs of one block. Gateways give the others to any search for logs. */
const SEARCHED_TOO_LONG_STATUSES: readonly number[] = [TOO_LARGE, 504];

/** Statuses for a search for the logs of many blocks, where a search of few blocks is answered. */
const SEARCHED_TOO_WIDE_STATUSES: readonly number[] = [...TOO_MUCH_STATUSES, 503];

/** The answer is of another block: the chain moved between two questions. The error is the cause of a refusal. */
export class OtherBlock extends Error {}

/** A provider that cuts long answers off silently gives a round number of logs. The error is the cause of a refusal. */
export class SuspectedCap extends Error {
  constructor(logs: number) {
    super(`${logs} logs may be all that the provider gives at once`);
    this.name = 'SuspectedCap';
  }
}

/**
 * The number of blocks that one eth_getLogs asks for. Every provider has another limit, and most tell theirs only by an
 * error.
 */
export class LogSpan {
  private span = START_BLOCKS;
  private ceiling = MOST_BLOCKS;
  private answersAtCeiling = 0;

  get blocks(): number {
    return this.span;
  }

  grow(): void {
    if (this.span === this.ceiling && ++this.answersAtCeiling >= ANSWERS_UNTIL_RETRY) {
      this.answersAtCeiling = 0;
      this.ceiling = MOST_BLOCKS;
    }
    this.span = Math.min(this.span + 1, this.ceiling);
  }

  /**
   * Notes that a question for `asked` blocks was answered, after a question for `refused` blocks from the same block on
   * was not.
   */
  limitTo(asked: number, refused: number): void {
    this.ceiling = refused - 1;
    this.answersAtCeiling = 0;
    this.span = asked;
  }

  /** Goes back to single blocks, as where they are read one by one. */
  collapse(): void {
    this.span = 1;
  }

  /**
   * Halves the span after a question for `asked` blocks when `error` may come from their number; false when it cannot
   * come from there.
   */
  shrinkAfter(error: unknown, asked: number): boolean {
    if (asked === 1 || !isAboutWidth(error)) return false;
    this.ceiling = asked - 1;
    this.answersAtCeiling = 0;
    this.span = Math.floor(asked / 2);
    return true;
  }
}

/**
 * Whether the provider gives no logs even of a single block, as BNB Smart Chain's official endpoints do with "limit
 * exceeded".
 */
export function isWithoutLogs(error: unknown): boolean {
  const cause = causeOf(error);
  if (!(cause instanceof RpcError) || RATE_WORDS.test(cause.message)) return false;
  const codes = [LIMIT_EXCEEDED, INVALID_PARAMS, METHOD_NOT_FOUND, METHOD_NOT_SUPPORTED];
  return codes.includes(cause.code) || LIMIT_WORDS.test(cause.message) || UNAVAILABLE_WORDS.test(cause.message);
}

/** Whether a shorter question may be answered where this one was not. */
export function isAboutWidth(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof ResponseTooLarge || cause instanceof SuspectedCap) return true;
  if (!(cause instanceof RpcError) || RATE_WORDS.test(cause.message)) return false;
  return WIDTH_CODES.includes(cause.code) || LIMIT_WORDS.test(cause.message);
}

/**
 * Whether a search for the logs of many blocks is to be made narrower before its refusal counts. Nodes and their
 * gateways refuse a wide search by many codes and words, and by a bare status. So almost any error may be about the
 * width. The exceptions are errors about too many questions, a missing method, or an execution.
 */
export function mayBeWidth(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof OtherStatus) return SEARCHED_TOO_WIDE_STATUSES.includes(cause.status);
  if (!(cause instanceof RpcError) || RATE_WORDS.test(cause.message) || isOfExecution(cause)) return false;
  return isAboutWidth(error) || !isWithoutLogs(error);
}

/** Whether the number of logs was too much, so that a question for fewer recipients may be answered. */
export function isAboutAmount(error: unknown): boolean {
  if (causeOf(error) instanceof SuspectedCap || isTooLarge(error)) return true;
  return isAboutWidth(error) && AMOUNT_WORDS.test((causeOf(error) as Error).message);
}

/** Whether the answer was longer than the limit for passing on, or for reading. */
export function isTooLarge(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ResponseTooLarge || (cause instanceof OtherStatus && cause.status === TOO_LARGE);
}

/**
 * Whether the error tells neither of missing logs nor of a limit. A provider that answers all other questions then has
 * no logs to give.
 */
export function isMiss(error: unknown): boolean {
  const cause = causeOf(error);
  if (!isProviderFault(error) || isInvalid(error) || isAboutWidth(error) || cause instanceof PauseWanted) return false;
  return !(cause instanceof RpcError && RATE_WORDS.test(cause.message));
}

/**
 * Whether the provider may refuse this one block's logs, or the logs of every block. In both cases the block's receipts
 * may be asked for instead.
 */
export function mayBeOneBlocks(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof OtherBlock) return false;
  if (cause instanceof OtherStatus) return SEARCHED_TOO_LONG_STATUSES.includes(cause.status);
  return isInvalid(error) || mayBeInParts(error);
}

/**
 * Whether questions for parts may be answered where the whole question was not. An error that the node gives for every
 * question is no such reason.
 */
export function mayBeInParts(error: unknown): boolean {
  const cause = causeOf(error);
  if (!isProviderFault(error) || cause instanceof OtherBlock || cause instanceof PauseWanted) return false;
  if (cause instanceof OtherStatus) return TOO_MUCH_STATUSES.includes(cause.status);
  if (cause instanceof RpcError) return isAboutWidth(error) || isWithoutLogs(error);
  // The answer came too late, was cut off, or has another form than the documented one.
  return cause !== undefined || isInvalid(error);
}

function causeOf(error: unknown): unknown {
  return isRefusal(error) ? error.cause : null;
}
