import type { Clock } from '../src/kernel/clock';
import type { MerchantClocks } from '../src/kernel/merchant-clocks';

/** The clocks of merchants who have none of their own. */
export function wallClocks(wall: Clock): MerchantClocks {
  return {
    now: () => wall.now(),
    wait: (delayMs, signal) => wall.wait(delayMs, signal),
    merchantNow: () => Promise.resolve(wall.now()),
    merchantTimeAt: (_universe, _merchantId, wallMs) => Promise.resolve(wallMs),
    merchantTimesAt: (_universe, ids, wallMs) => Promise.resolve(new Map(ids.map(id => [id, wallMs]))),
    renewed: known => Promise.resolve(known),
  };
}
