import {
  constant,
  id,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { ADMIN_ROLES } from '../../../../vocabulary/admin-roles';
import { adminsReadModel, type AdminDocument } from '../../../admins/admins.read-model';
import { adminList, byField } from '../admin-list';

const STATUSES = ['invited', 'withdrawn', 'active', 'disabled'] as const;

const ADMIN = resource('admin', 'An administrator', {
  id: id('adm'),
  object: constant('admin'),
  email: text(),
  name: nullable(text()),
  role: oneOfTexts(ADMIN_ROLES),
  status: oneOfTexts(STATUSES),
  totp_enrolled_at: nullable(timestamp()),
  passkeys: whole('The number of the administrator’s passkeys', 1),
  created: timestamp(),
});

export const admins = adminList({
  path: 'admins',
  summary: 'List the administrators, the newest first',
  item: ADMIN,
  readModel: adminsReadModel,
  lies: 'above_modes',
  filters: {
    role: byField<AdminDocument>('role', { values: ADMIN_ROLES }),
    status: byField<AdminDocument>('status', { values: STATUSES }),
  },
  indexes: [
    { index: 'by_role', filters: ['role'] },
    { index: 'by_created', filters: [] },
  ],
  order: ['created', 'id'],
  notFound: 'resource_missing',
  present: ({ id: adminId, body: { email, name, role, status, totp_enrolled_at, passkeys, created } }) => ({
    ...{ id: adminId, object: 'admin' as const, email, name, role, status, totp_enrolled_at },
    ...{ passkeys: passkeys.length, created },
  }),
});
