import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiDocument } from '../../../src/platform/docs/api-document';
import { servedDocument } from '../../../clients/typescript/generator/served-document';
import { contractDigests } from './contract-digests';

const RECORD = join(__dirname, '../../fixtures/contract.json');
const LIMIT_MS = 60_000;

/** A change of the contract is meant, or it is a fault. `npm run contract:record` records a change that is meant. */
it(
  'serves the recorded contract, part by part',
  async () => {
    const digests = contractDigests((await servedDocument()) as unknown as ApiDocument);
    if (process.env.RECORD_CONTRACT === '1') writeFileSync(RECORD, `${JSON.stringify(digests, null, 2)}\n`);
    expect(digests).toEqual(JSON.parse(readFileSync(RECORD, 'utf8')));
  },
  LIMIT_MS,
);
