import { ADMIN_ACTIONS, proposableAction } from '../../../src/modules/administration/api/admin-actions';
import { approvalText } from '../../../src/modules/administration/api/administration';
import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import { bodySchema } from '../../../src/platform/http/fields/body-schema';
import { ADMIN_PERMISSIONS, isFourEyes, type AdminPermission } from '../../../src/vocabulary/admin-roles';

const rows = Object.entries(ADMIN_ACTIONS) as readonly (readonly [string, AdminAction])[];

describe('the table of administrators’ actions', () => {
  it('has one action for each path', () => {
    const paths = rows.map(([, { path }]) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has one action for each permission of four eyes and form of a target, so that a proposal names it', () => {
    const permissions = rows.map(([, { permission }]) => permission).filter(isFourEyes);
    const shared = permissions.filter((permission, index) => permissions.indexOf(permission) !== index);
    expect(shared).toEqual(['coverage.close', 'admin.manage']);
    for (const permission of permissions) expect(proposableAction(permission, 'any')?.permission).toBe(permission);
    expect(proposableAction('admin.manage', 'ada@example.com')?.path).toBe('admins');
    expect(proposableAction('admin.manage', `adm_${'0'.repeat(26)}`)?.path).toBe('admins/:id');
    expect(proposableAction('coverage.close', 'live.deferred_transfer-bnb:0x1')?.path).toBe(
      'deferred_transfers/:id/give_up',
    );
    expect(proposableAction('coverage.close', 'live.coverage_hole-bnb:1')?.path).toBe('coverage_holes/:id/close');
    expect(proposableAction('hold.place', 'any')).toBeUndefined();
  });

  it.each(rows)('%s takes an approval where it needs one, and nowhere else', (_, { body, permission }) => {
    const { properties } = bodySchema(body) as { readonly properties: object };
    expect('approval_id' in properties).toBe(isFourEyes(permission));
  });

  it('says who has to approve', () => {
    expect(approvalText('hold.place')).toBe('Nobody else has to approve.');
    expect(approvalText('hold.release')).toBe(
      'Another administrator of the role compliance or owner has to approve, within 24 hours.',
    );
    const all = Object.keys(ADMIN_PERMISSIONS) as readonly AdminPermission[];
    expect(all.filter(each => approvalText(each).includes('support'))).toEqual([]);
  });
});
