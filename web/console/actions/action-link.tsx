import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import { useAdminMay } from '../../parts/console-context';
import { usePaths } from '../../parts/signed-context';
import { actionPath, type ActionName } from './action-places';

type ActionLinkProps = {
  readonly action: ActionName;
  readonly text: string;
  /** The object, where it is known. */
  readonly target?: string;
  /** Fields that are known already. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly isMain?: boolean;
  readonly isDanger?: boolean;
  /** Tells apart the links of one text, such as those of a table's rows. */
  readonly of?: string;
};

/** Leads to the page that says what the action does. The link is shown to roles that do or propose it. */
export function ActionLink({ action, text, target, fields = {}, isMain, isDanger, of }: ActionLinkProps) {
  const may = useAdminMay();
  const paths = usePaths();
  if (!may(ADMIN_ACTIONS[action].permission)) return null;
  const query = new URLSearchParams({ ...(target !== undefined && { target }), ...fields });
  const kind = `button${isMain ? ' main' : ''}${isDanger ? ' danger' : ''}`;
  return (
    <a class={kind} href={`${paths(actionPath(action))}${query.size > 0 ? `?${query}` : ''}`}>
      {text}
      {of !== undefined && <span class="sr"> {of}</span>}
    </a>
  );
}
