/** Builds read models anew beside the live ones, in this process. */
export abstract class ReadModelRebuilds {
  /** Whether a build of the read model is under way in any process; null for an unknown one. */
  abstract standing(readModel: string): Promise<'at_rest' | 'under_way' | null>;
  /**
   * Goes on after the answer, and does nothing while this process builds the read model. Where a build fails, the log
   * tells the reason and the live documents stay.
   */
  abstract start(readModel: string): void;
}
