import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDocuments } from '../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { documentsContract } from './documents.contract';

const folder = mkdtempSync(join(tmpdir(), 'quittance-documents-'));

documentsContract('embedded', () => {
  const file = EmbeddedFile.open(folder, { role: 'service' });
  const documents = new EmbeddedDocuments(file);
  const close = async (): Promise<void> => {
    await documents.close();
    file.close();
  };
  return Promise.resolve({ documents, close });
});

afterAll(() => rmSync(folder, { recursive: true }));
