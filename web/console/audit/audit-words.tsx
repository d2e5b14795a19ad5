import type { AuditEntryResource } from '../../../src/modules/audit/api/audit.contract';
import type { AdminNames } from '../../../src/modules/admins/api/name-admins.query';
import { spoken } from '../../parts/status-badge';

/** An action in words: `payment_intent.see_confirmation` is `Payment intent: see confirmation`. */
export function actionWords(action: string): string {
  return spoken(action).replace('.', ': ');
}

const ACTORS: Readonly<Record<string, string>> = { admin: 'Administrator', api_key: 'API key', system: 'The service' };

/** Behind it stands the account that ran the command line. */
const COMMAND_LINE = 'cli:';

type ActorProps = { readonly actor: AuditEntryResource['actor']; readonly names: AdminNames };

/** The actor by name, where it is an administrator; otherwise by its kind and its id. */
export function ActorOf({ actor: { type, id, role }, names }: ActorProps) {
  if (names[id] !== undefined) return <>{names[id]}</>;
  if (id.startsWith(COMMAND_LINE))
    return (
      <>
        Command line <code>{id.slice(COMMAND_LINE.length)}</code>
      </>
    );
  return (
    <>
      {ACTORS[type] ?? spoken(type)} <code>{type === 'system' ? role : id}</code>
    </>
  );
}
