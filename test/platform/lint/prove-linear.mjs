import { readFileSync } from 'node:fs';
import { check } from 'recheck';

// Reads regular expressions as a JSON list of texts. Writes for each null, or the reason why it is not proved linear.
// The checker has a process of its own, because it takes ten times as long inside the test runner.
process.env.RECHECK_BACKEND = 'pure';
const TIMEOUT_MS = 60_000;

async function fault(pattern) {
  const end = pattern.lastIndexOf('/');
  // The other checker tries examples, which proves nothing.
  const params = { checker: 'automaton', timeout: TIMEOUT_MS };
  const found = await check(pattern.slice(1, end), pattern.slice(end + 1), params);
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable') return `${found.complexity.summary}: ${found.attack.pattern}`;
  return `not proved: ${found.error.kind}`;
}

const faults = [];
for (const pattern of JSON.parse(readFileSync(0, 'utf8'))) faults.push(await fault(pattern));
process.stdout.write(JSON.stringify(faults));
