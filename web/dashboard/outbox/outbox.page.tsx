import type { ListedMail } from '../../../src/modules/outbox/queries/outbox-reader';
import { Live } from '../../parts/card';
import { DashboardPage } from '../../parts/dashboard-page';
import { DataTable, type Row } from '../../parts/data-table';
import { Empty, NoOlder, Pager } from '../../parts/list-parts';
import { usePaths } from '../../parts/signed-context';
import { TimeOf } from '../../parts/time-of';
import type { Place } from '../../http/given-filters';
import { shortened } from '../shortened';
import { MailBadge } from './mail.page';

export type OutboxView = Place & { readonly mails: readonly ListedMail[] };

const COLUMNS = [{ heading: 'Subject' }, { heading: 'To' }, { heading: 'Status' }, { heading: 'Written' }];

/** The account's mail, newest first. */
export function OutboxPage({ view: { mails, next, isFirst } }: { readonly view: OutboxView }) {
  const paths = usePaths();
  return (
    <DashboardPage title="Mails" current="outbox">
      <p>Mail to the people of this account, of both modes. Mail with secret links is not shown.</p>
      <Live id="mails">
        {mails.length === 0 ? (
          <NoMails isFirst={isFirst} />
        ) : (
          <>
            <DataTable
              name="Mails"
              columns={COLUMNS}
              rows={mails.map(mail => rowOf(mail, paths(`outbox/${mail.id}`)))}
            />
            <Pager action={paths('outbox')} {...{ next, isFirst }} shown={mails.length} />
          </>
        )}
      </Live>
    </DashboardPage>
  );
}

function rowOf(mail: ListedMail, href: string): Row {
  return {
    key: mail.id,
    href,
    cells: [
      shortened(mail.subject),
      shortened(mail.to),
      <MailBadge key="status" status={mail.status} />,
      <TimeOf key="created" at={mail.createdAt} />,
    ],
  };
}

function NoMails({ isFirst }: { readonly isFirst: boolean }) {
  const paths = usePaths();
  if (!isFirst) return <NoOlder icon="mail" objects="mails" newest={paths('outbox')} />;
  return (
    <Empty icon="mail" title="No mails yet">
      <p>Mail about payments, sign-ins and changes of the account is kept here.</p>
    </Empty>
  );
}
