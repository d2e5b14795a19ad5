import 'reflect-metadata';
import { inspect } from 'node:util';
import { isRefusal } from './kernel/errors';
import { loadConfig } from './platform/config/config';
import { createLogger } from './platform/logging/logger';
import { Service } from './service';

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const service = await Service.start(config, createLogger({ level: config.logLevel }));
  const stop = (): void => void service.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

main().catch((error: unknown) => {
  // A refusal names what is at fault in the configuration; its stack says nothing more.
  process.stderr.write(isRefusal(error) ? `${error.code}: ${error.message}\n` : `${inspect(error)}\n`);
  process.exit(1);
});
