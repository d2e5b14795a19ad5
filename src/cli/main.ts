import 'reflect-metadata';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { runProgram } from './program';

/** As a shell tells of a program that was ended by SIGPIPE. */
const READER_GONE = 141;

// A reader such as `head` may go before all is told.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(READER_GONE);
  });

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('interrupted')));

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

/** An account without a name, as containers have, is known by its number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

void runProgram(process.argv.slice(2), {
  env: process.env,
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  isInteractive: process.stderr.isTTY === true,
  readLine,
  user: accountName(),
  signal: interruption.signal,
}).then(exitCode => (process.exitCode = exitCode));
