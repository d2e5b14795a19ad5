import { startedAt } from './started-chains';

/** Starts the local chains of a folder at a moment that other processes share, and prints which ones it came to. */
async function main(): Promise<void> {
  const [, , dataFolder = '', startMs = '0'] = process.argv;
  process.stdout.write(`${JSON.stringify(await startedAt(Number(startMs), dataFolder))}.\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stdout.write(`${JSON.stringify(String(error))}.\n`);
    process.exit(1);
  },
);
