import type { Permission } from '../../../src/vocabulary/roles';
import { PERMISSION_WORDS } from '../people/role-words';

type DeniedProps = {
  readonly permissions: readonly Permission[];
  /** The reason, as the end of a sentence. */
  readonly because: string;
};

/** The acts that a key may not do, although its scopes cover them. */
export function Denied({ permissions, because }: DeniedProps) {
  return (
    <div class="denied">
      <p>It may not do any of this, since {because}:</p>
      <ul class="bullets">
        {permissions.map(permission => (
          <li key={permission}>
            {PERMISSION_WORDS[permission]} <code>{permission}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
