/** Takes the members at these paths, such as `state.ledger`, away from the value, and answers it. */
export function withoutMembers<Value extends object>(value: Value, paths: readonly string[]): Value {
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce<unknown>((found, name) => (found as Record<string, unknown> | null)?.[name], value);
    if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last);
  }
  return value;
}
