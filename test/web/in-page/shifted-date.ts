/** The wall's clock is wrong by `GIVEN` milliseconds, for the page and for all of its scripts. */
declare const GIVEN: number;

const right = Date.now.bind(Date);

globalThis.Date = class extends Date {
  constructor(...args: [] | [number | string]) {
    if (args.length === 0) super(right() + GIVEN);
    else super(args[0]);
  }

  static override now(): number {
    return right() + GIVEN;
  }
} as DateConstructor;
export {};
