import { coveredPermissions } from '../../../src/modules/api-keys/covered-permissions';
import { roleGrants } from '../../../src/modules/api-keys/role-grants';
import { isReadScope, SCOPES } from '../../../src/vocabulary/scopes';

const acting = (role: Parameters<typeof roleGrants>[0]) => roleGrants(role).scopes.filter(scope => !isReadScope(scope));

describe('the scopes of the keys that a person makes', () => {
  it('are all for an owner', () => {
    expect(roleGrants('owner')).toEqual({ scopes: SCOPES, endsAt: null, withheld: [] });
  });

  it('are no more than a developer may do without a key', () => {
    expect(acting('developer')).toEqual(['payment:create', 'key:manage', 'webhook:manage', 'webhook_url:manage']);
    expect(roleGrants('developer').scopes).toContain('request_log:read');
    expect(roleGrants('developer').withheld).toEqual(coveredPermissions(SCOPES));
    expect(roleGrants('finance').withheld).toEqual([]);
  });

  it.each([
    ['finance', ['payment:create', 'invoice:create']],
    ['support', []],
    ['viewer', []],
  ] as const)('act on as little as a %s does', (role, scopes) => {
    expect(acting(role)).toEqual(scopes);
    expect(roleGrants(role).scopes).not.toContain('request_log:read');
  });
});
