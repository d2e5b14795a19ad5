import { isRefusal } from '../../../kernel/errors';
import { ResponseTooLarge, RpcError } from './json-rpc';

/** What the strictest of the widespread free plans takes (Alchemy's). */
const START_BLOCKS = 10;
const MOST_BLOCKS = 1_000;

const LIMIT_EXCEEDED = -32_005;
const INVALID_PARAMS = -32_602;
const LIMIT_WORDS = /range|limit|too many|too large|more than/i;

/** How many blocks one eth_getLogs asks for: every provider has another limit and most name theirs only by an error. */
export class LogSpan {
  private span = START_BLOCKS;

  get blocks(): number {
    return this.span;
  }

  grow(): void {
    this.span = Math.min(this.span + 1, MOST_BLOCKS);
  }

  /** Halves the span when `error` may come from its width; false when it cannot, or when one block is too much already. */
  shrinkAfter(error: unknown): boolean {
    if (this.span === 1 || !isAboutWidth(error)) return false;
    this.span = Math.floor(this.span / 2);
    return true;
  }
}

function isAboutWidth(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { cause } = error;
  if (cause instanceof ResponseTooLarge) return true;
  if (!(cause instanceof RpcError)) return false;
  return cause.code === LIMIT_EXCEEDED || cause.code === INVALID_PARAMS || LIMIT_WORDS.test(cause.message);
}
