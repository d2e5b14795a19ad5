import type { VelocityLimit } from './payment-limits';
import type { TokenId } from './tokens';

/** The facts of an account by which a method is selected for its payments, as of one request. */
export type MethodTerms = {
  readonly enabledTokens: readonly TokenId[];
  /** Tokens whose network or asset is stopped in the mode, for every merchant. */
  readonly stoppedTokens: readonly TokenId[];
  readonly toleranceBps: number;
  /** The limit on each wallet; null where none is set. */
  readonly walletVelocity: VelocityLimit | null;
};
