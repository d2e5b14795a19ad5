import { readFileSync, writeFileSync } from 'node:fs';
import { ModulesContainer } from '@nestjs/core';
import { join } from 'node:path';
import { operationsOf, type ApiDocument } from '../../../src/platform/docs/api-document';
import { adminRoutesOf } from '../../../src/platform/http/openapi-routes';
import { ensureGroups } from '../../../src/processes/groups';
import { ADMIN_ROLES, adminPermits, type AdminRole } from '../../../src/vocabulary/admin-roles';
import { contractDigests } from '../../platform/docs/contract-digests';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { ConsoleCaller } from '../admins/console-caller';
import { signedInAdmin } from './signed-in-admin';

const RECORD = join(__dirname, '../../fixtures/admin-contract.json');

let stage: ApiStage;
let instance: ApiInstance;
let document: ApiDocument;
const byRole: Partial<Record<AdminRole, ConsoleCaller>> = {};

beforeAll(async () => {
  stage = await ApiStage.open();
  await ensureGroups(stage.core.store);
  instance = await stage.startInstance();
  for (const role of ADMIN_ROLES)
    byRole[role] = (await signedInAdmin(stage, instance, `${role}@example.com`, role)).browser;
  document = (await byRole.viewer?.get('openapi.json'))?.body as unknown as ApiDocument;
});
afterAll(() => stage.close());

const routes = () => adminRoutesOf(instance.app.get(ModulesContainer));

describe('the contract of administrators', () => {
  it('is shown to administrators alone, and names every route below /admin', async () => {
    expect((await new ConsoleCaller(stage, instance).get('openapi.json')).code).toBe('admin_session_required');
    const named = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(named.toSorted()).toEqual(
      routes()
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
    const ids = operationsOf(document).map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operationsOf(document).filter(({ operation }) => operation.summary === '')).toEqual([]);
  });

  it('is no part of the public contract', async () => {
    const { body } = await instance.caller.send({ method: 'GET', path: '/openapi.json' });
    expect(Object.keys((JSON.parse(body) as ApiDocument).paths).filter(path => path.startsWith('/admin'))).toEqual([]);
  });

  it('is the recorded one, part by part', () => {
    const digests = contractDigests(document);
    if (process.env.RECORD_CONTRACT === '1') writeFileSync(RECORD, `${JSON.stringify(digests, null, 2)}\n`);
    expect(digests).toEqual(JSON.parse(readFileSync(RECORD, 'utf8')));
  });
});

describe('the matrix of roles and routes', () => {
  const codeOf = async (role: AdminRole | null, method: string, path: string) => {
    const caller = role === null ? new ConsoleCaller(stage, instance) : byRole[role];
    const at = path.replace('/admin/', '').replaceAll(/\{\w+\}/g, 'any');
    const answer = await (method === 'get' ? caller?.get(at) : caller?.post(at));
    expect(answer?.status).toBeLessThan(500);
    return answer?.code;
  };
  const guarded = () => routes().filter(({ admin, method }) => admin?.stages.includes('full') && method !== 'delete');

  it('has a rule for every route', () => {
    expect(routes().filter(({ admin }) => admin === undefined)).toEqual([]);
  });

  it('shows nothing to strangers', async () => {
    for (const { method, path } of guarded())
      expect([path, await codeOf(null, method, path)]).toEqual([path, 'admin_session_required']);
  });

  it.each(ADMIN_ROLES)('lets %s into the routes of its permissions, and into no other', async role => {
    for (const { method, path, admin } of guarded()) {
      const permission = admin?.permission ?? null;
      if (permission === null) continue;
      const isRefused = (await codeOf(role, method, path)) === 'permission_denied';
      expect([path, isRefused]).toEqual([path, !adminPermits(role, permission)]);
    }
  });

  it('answers each read without a target as the contract says, which the caller holds it against', async () => {
    await stage.project();
    const reads = routes().filter(({ method, parameters }) => method === 'get' && parameters.length === 0);
    for (const { path } of reads)
      expect([path, (await byRole.owner?.get(path.replace('/admin/', '')))?.status]).toEqual([path, 200]);
    for (const path of ['system/groups/webhooks/parked', 'system/coverage/test/base'])
      expect([path, (await byRole.owner?.get(path))?.status]).toEqual([path, 200]);
  });

  it('describes every answer', () => {
    const undescribed = operationsOf(document).filter(({ operation }) =>
      Object.values(operation.responses).some(({ content }) =>
        Object.values(content).some(({ schema }) => Object.keys(schema).length === 0),
      ),
    );
    expect(undescribed.map(({ path }) => path)).toEqual([]);
  });
});
