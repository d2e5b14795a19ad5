/** Builds read models anew beside the live ones, in this process. */
export abstract class ReadModelRebuilds {
  /**
   * Throws Refusal resource_missing for an unknown read model, and invalid_state_transition where another build of it
   * is under way in any process.
   */
  abstract refuseUnfit(readModel: string): Promise<void>;
  /** Goes on after the answer; where it fails, the log tells the reason and the live documents stay. */
  abstract start(readModel: string): void;
}
