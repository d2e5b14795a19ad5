import { AUDIT_ACTIONS } from '../../../src/modules/audit/audit-rules';
import { UNIVERSES } from '../../../src/vocabulary/modes';
import { SelectField, TextField, type Option } from '../../parts/fields';
import { spoken } from '../../parts/status-badge';
import { actionWords } from './audit-words';

export const AUDIT_FILTERS = {
  actor: 'Actor',
  target: 'Object',
  action: 'Action',
  merchant: 'Merchant',
  mode: 'Mode',
  from: 'From',
  to: 'To',
} as const;

const ACTIONS: readonly Option[] = [
  { value: '', text: 'Any action' },
  ...[...AUDIT_ACTIONS].sort().map(action => ({ value: action, text: actionWords(action) })),
];
const MODES: readonly Option[] = [
  { value: '', text: 'Any mode' },
  ...UNIVERSES.map(mode => ({ value: mode, text: spoken(mode) })),
];

type AuditFieldsProps = {
  /** The filters as typed. */
  readonly query: Readonly<Record<string, string>>;
};

/** The filters of the audit log, for its list and for its file. */
export function AuditFields({ query }: AuditFieldsProps) {
  const field = <Name extends keyof typeof AUDIT_FILTERS>(name: Name) =>
    ({ name, label: AUDIT_FILTERS[name], value: query[name] ?? '', isOptional: true }) as const;
  return (
    <>
      <TextField {...field('actor')} placeholder="An id or an e-mail address" />
      <TextField {...field('target')} placeholder="An id, such as mch_…" />
      <SelectField {...field('action')} options={ACTIONS} />
      <TextField {...field('merchant')} placeholder="mch_…" />
      <SelectField {...field('mode')} options={MODES} />
    </>
  );
}
