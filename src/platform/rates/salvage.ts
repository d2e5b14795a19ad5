import { isRefusal, type Refusal } from '../../vocabulary/errors';

/**
 * Reads each item by itself, so that a bad one does not take the others along. Null from `read` means that the item has
 * no value. Throws the first faulty item's Refusal where there were faults and no item could be read.
 */
export function salvage<Item, Value>(items: readonly Item[], read: (item: Item) => Value | null): readonly Value[] {
  const values: Value[] = [];
  const faults: Refusal[] = [];
  for (const item of items) {
    try {
      const value = read(item);
      if (value !== null) values.push(value);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      faults.push(error);
    }
  }
  if (values.length === 0 && faults[0]) throw faults[0];
  return values;
}
