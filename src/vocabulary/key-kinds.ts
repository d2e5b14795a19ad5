export const KEY_KINDS = ['sk', 'pk', 'rk'] as const;
/** The kinds are secret, publishable and restricted. */
export type KeyKind = (typeof KEY_KINDS)[number];
