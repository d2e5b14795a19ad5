import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openEngines } from '../../src/composition/engines';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { loadConfig } from '../../src/platform/config/config';
import { FileLock } from '../../src/platform/embedded-file/file-lock';
import { createLogger } from '../../src/platform/logging/logger';
import { temporaryFolder } from '../sandbox/local-chain';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';

const SERVERS = { EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false', MONGODB_URL: 'mongodb://127.0.0.1/quittance' };
const connectors = {
  eventStore: () => Promise.resolve(new MemoryEventStore()),
  documents: () => Promise.resolve(new MemoryDocuments()),
};
const { folder, remove } = temporaryFolder();
const data = path.join(folder, 'data');
afterAll(remove);

async function open(env: Readonly<Record<string, string>>, role: 'service' | 'tool' = 'service'): Promise<void> {
  const config = loadConfig({ DATA_FOLDER: data, ...env });
  const means = { clock: new SystemClock(), entropy: new SystemEntropy(), log: createLogger({ level: 'silent' }) };
  const engines = await openEngines({ config, ...means, role, connectors });
  await engines.close();
}

describe('a part of the roles', () => {
  it.each([
    ['both engines', {}],
    ['the log', { MONGODB_URL: SERVERS.MONGODB_URL }],
    ['the documents', { EVENTSTORE_URL: SERVERS.EVENTSTORE_URL }],
  ])('is refused where the data folder holds %s', async (_, servers) => {
    const refused = { code: 'invalid_config', param: 'ROLES' };
    await expect(open({ ROLES: 'api,projections', ...servers })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('watchers, processes') as string,
    });
    expect(existsSync(data)).toBe(false);
  });

  it('is taken with servers, and by a tool, which plays no role', async () => {
    await open({ ROLES: 'api', ...SERVERS });
    await open({ ROLES: 'api' }, 'tool');
  });

  it('is taken where all roles are named in another order', async () => {
    await open({ ROLES: 'projections,processes,watchers,api' });
  });
});

describe('the data folder beside engines that are servers', () => {
  const shared = path.join(folder, 'shared');
  beforeAll(() => mkdirSync(shared));
  const started = (env: Readonly<Record<string, string>> = {}) => {
    const config = loadConfig({ DATA_FOLDER: shared, ...SERVERS, ...env });
    const means = { clock: new SystemClock(), entropy: new SystemEntropy(), log: createLogger({ level: 'silent' }) };
    return openEngines({ config, ...means, role: 'service', connectors });
  };
  const isFree = (): boolean => {
    const lock = FileLock.take(path.join(shared, 'service.lock'));
    lock?.release();
    return lock !== null;
  };

  it('is held by every service that has secret.key, until the last one ends', async () => {
    const [first, second] = [await started(), await started()];
    expect(isFree()).toBe(false);
    await first.close();
    expect(isFree()).toBe(false);
    await second.close();
    expect(isFree()).toBe(true);
  });

  it('refuses a service while another process replaces secret.key', async () => {
    const lock = FileLock.take(path.join(shared, 'service.lock'));
    await expect(started()).rejects.toMatchObject({ code: 'invalid_config', param: 'data_folder' });
    lock?.release();
    await (await started()).close();
  });

  it('is left alone by a service with SECRET_KEY', async () => {
    const lock = FileLock.take(path.join(shared, 'service.lock'));
    await (await started({ SECRET_KEY: Buffer.alloc(32, 1).toString('base64') })).close();
    lock?.release();
  });

  it('is given back where a server refuses', async () => {
    const config = loadConfig({ DATA_FOLDER: shared, ...SERVERS });
    const means = { clock: new SystemClock(), entropy: new SystemEntropy(), log: createLogger({ level: 'silent' }) };
    const refusing = { ...connectors, documents: () => Promise.reject(new Error('wrong password')) };
    const opening = openEngines({ config, ...means, role: 'service', connectors: refusing });
    await expect(opening).rejects.toMatchObject({ param: 'MONGODB_URL' });
    expect(isFree()).toBe(true);
  });
});
