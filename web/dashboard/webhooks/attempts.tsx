import type { DeliveryAttemptResource } from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { Code } from '../../parts/code';
import { usePaths } from '../../parts/signed-context';
import { Badge } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';
import { unansweredText } from '../../words/unanswered';

type AttemptsProps = {
  readonly attempts: readonly DeliveryAttemptResource[];
  /** The type of each attempt's event, by its id; null where all attempts are of one event. */
  readonly types: Readonly<Record<string, string>> | null;
};

/** Attempts with the answers that they got. */
export function Attempts({ attempts, types }: AttemptsProps) {
  const paths = usePaths();
  return (
    <ul class="attempts">
      {attempts.map(attempt => {
        const { id, event, latency_ms: ms, created, trigger, response_excerpt: body } = attempt;
        return (
          <li key={id}>
            <p class="title">
              <Answered attempt={attempt} />
              {types !== null && <a href={paths(`events/${event}`)}>{types[event] ?? event}</a>}
            </p>
            <p class="label">
              Attempt {attempt.attempt}
              {trigger === 'manual' && ', asked for by hand'}, {ms} ms, <TimeOf at={created} as="exact" />
            </p>
            {body !== '' && (
              <details id={id}>
                <summary>Answer</summary>
                <Code label={`Body of the answer to ${id}`} text={body} />
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Answered({ attempt: { status_code: status, error } }: { readonly attempt: DeliveryAttemptResource }) {
  if (status === null) return <Badge tone="bad" text={unansweredText(error)} />;
  return <Badge tone={status >= 200 && status < 300 ? 'ok' : 'bad'} text={`${status}`} />;
}
