const LABEL_WIDTH = 10;
const startedAt = process.hrtime.bigint();

/** One line a step, with the seconds since the start. */
export function say(label: string, text: string): void {
  const seconds = Number((process.hrtime.bigint() - startedAt) / 100_000_000n) / 10;
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${label.padEnd(LABEL_WIDTH)} ${text}`);
}

export type HistoryEvent = {
  readonly revision: number;
  readonly type: string;
  readonly actor_in_words: string;
  readonly occurred_at: string;
};

export function describeHistory(events: readonly HistoryEvent[]): readonly string[] {
  return events.map(
    ({ revision, type, actor_in_words: actor, occurred_at }) => `#${revision} ${occurred_at} ${type} by ${actor}`,
  );
}
