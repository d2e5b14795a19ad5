import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../../src/platform/config/config';
import { createLogger } from '../../../src/platform/logging/logger';
import { startService } from '../../../src/composition/start-service';
import type { OpenApiDocument } from './open-api';

const LIMIT_MS = 10_000;

/**
 * The contract as the service itself serves it. The service is started in this process on an empty folder, and watches
 * no network.
 */
export async function servedDocument(): Promise<OpenApiDocument> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-contract-'));
  try {
    return await documentOver(dataFolder, String(await freePort()));
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function documentOver(dataFolder: string, port: string): Promise<OpenApiDocument> {
  const env = { DATA_FOLDER: dataFolder, PORT: port, MODES: 'test', SANDBOX_CHAINS: 'off' };
  const service = await startService(loadConfig(env), createLogger({ level: 'silent' }));
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}`);
    return (await answer.json()) as OpenApiDocument;
  } finally {
    await service.stop();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
