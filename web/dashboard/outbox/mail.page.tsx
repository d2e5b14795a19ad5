import type { ListedMail, WholeMail } from '../../../src/modules/outbox/queries/outbox-reader';
import { Card } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { Definitions } from '../../parts/definitions';
import { Badge, spoken, type Tone } from '../../parts/status-badge';
import { TimeOf } from '../../parts/time-of';

const TONES: Readonly<Record<ListedMail['status'], Tone>> = {
  queued: 'info',
  sent: 'ok',
  given_up: 'bad',
  withheld: 'idle',
};
const BACK = { path: 'outbox', text: 'Mails' } as const;

export function MailBadge({ status }: Pick<ListedMail, 'status'>) {
  return <Badge tone={TONES[status]} text={spoken(status)} />;
}

function detailNameOf({ status }: Pick<ListedMail, 'status'>): string {
  return status === 'withheld' ? 'Reason' : 'Answer of the mail server';
}

/** A mail by its text alone: its markup says the same, and could load what others host. */
export function MailPage({ mail }: { readonly mail: WholeMail }) {
  return (
    <DashboardPage title="Mail" heading={mail.subject} current="outbox" back={BACK}>
      <div class="columns">
        <div class="stack">
          <Card title="Text">
            <pre class="mail-text" tabIndex={0} role="region" aria-label="Text of the mail">
              {mail.text}
            </pre>
          </Card>
        </div>
        <div class="stack">
          <Card title="Delivery" liveId="delivery">
            <div>
              <MailBadge status={mail.status} />
            </div>
            <Definitions
              entries={[
                ['To', mail.to],
                ['Kind', mail.kind === null ? '–' : spoken(mail.kind)],
                ['Written', <TimeOf key="put" at={mail.createdAt} />],
                ['Attempts', String(mail.attempts)],
                ...(mail.status === 'queued'
                  ? [['Next attempt', <TimeOf key="next" at={mail.nextAttemptAt} />] as const]
                  : []),
                ...(mail.detail === null ? [] : [[detailNameOf(mail), mail.detail] as const]),
                ...(mail.doneAt === null ? [] : [['Done', <TimeOf key="done" at={mail.doneAt} />] as const]),
              ]}
            />
          </Card>
        </div>
      </div>
    </DashboardPage>
  );
}
