import type { Projection } from '../../src/kernel/projection';

/**
 * A projection of whatever documents: the runner hands each its own documents only, so their type is nobody else's
 * matter.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyProjection = Projection<any>;
