/**
 * The transfer waits for its judgement: it is set aside, and is met again. `slotId`: the amount slot whose payment may
 * be meant, or the whole grid of the address where no payment is known yet. The deadlines of those payments wait.
 */
export class JudgementWaits extends Error {
  constructor(
    reason: string,
    readonly slotId: string,
  ) {
    super('the transfer cannot be judged yet');
    this.name = reason;
  }
}
