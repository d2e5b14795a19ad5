/** The value itself, which nobody can change from here on. */
export function deepFrozen<T extends object>(value: T): T {
  for (const member of Object.values(value) as unknown[]) {
    if (typeof member === 'object' && member !== null) deepFrozen(member);
  }
  return Object.freeze(value);
}
