import { Card } from '../../parts/card';
import { TextField } from '../../parts/fields';

type TimeCardProps = {
  readonly path: string;
  /** The time that is asked for, as a browser's field has it; empty where none is. */
  readonly time: string;
};

/** Asks for what was recorded until a time. */
export function TimeCard({ path, time }: TimeCardProps) {
  return (
    <Card title="At a time" liveId="at-a-time" class="no-print">
      <form method="get" action={path} class="form">
        <TextField name="as_of" type="datetime-local" label="Time in UTC" value={time} />
        <button type="submit" class="button">
          Show
        </button>
      </form>
    </Card>
  );
}
