/** The streams that a command writes to and reads from: the process's own in production. */
export type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Standard error is a terminal, so a progress bar can be drawn on it. */
  readonly isInteractive: boolean;
  /** One line of standard input, without its end. */
  readonly readLine: () => Promise<string>;
  /** Name of the system's account that runs the program. */
  readonly user: string;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
};

/**
 * `failed`: the work was not done, or was found to be wrong; `misused`: the command line cannot be carried out as
 * written.
 */
export const EXIT_CODES = { ok: 0, failed: 1, misused: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
