import 'reflect-metadata';
import path from 'node:path';
import { servedDocument } from './generator/served-document';
import { writeClient } from './generator/write-client';

/** Brings the generated half of the client up to the API that the service serves: `npm run client:generate`. */
async function main(): Promise<void> {
  const isBuilt = __dirname.includes(`${path.sep}dist${path.sep}`);
  const root = path.resolve(__dirname, '..', '..', isBuilt ? '..' : '');
  writeClient(await servedDocument(), path.join(root, 'clients', 'typescript', 'src', 'generated'), root);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
