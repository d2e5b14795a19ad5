import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';

/** Holds a data folder as a service does, until it is killed. */
EmbeddedFile.open(process.argv[2] as string, { role: 'service' });
process.stdout.write('open.\n');
setInterval(() => undefined, 1_000);
