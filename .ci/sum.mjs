// Sums the results that jest wrote of each run, names the tests that failed, and ends with "N passed, M failed". A test
// that was skipped, or is only planned, counts as failed. So does a file that could not be loaded, and a run that left
// no result.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const SKIPPED = ['pending', 'skipped', 'todo', 'disabled', 'focused'];
let passed = 0;
let failed = 0;

function fail(count, line) {
  failed += count;
  if (count > 0) console.log(line);
}

/** The message on one line of 400 characters at most, without the stack. */
function messageOf(failureMessages) {
  const lines = stripVTControlCharacters(failureMessages.join('\n')).split('\n');
  return lines
    .filter(line => line.trim() !== '' && !line.trimStart().startsWith('at '))
    .map(line => line.trim())
    .join(' | ')
    .slice(0, 400);
}

for (const file of process.argv.slice(2)) {
  let run;
  try {
    run = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    fail(1, `no result of a run: ${error.message}`);
    continue;
  }
  passed += run.numPassedTests;
  failed += run.numFailedTests;
  fail(run.numTotalTests + run.numRuntimeErrorTestSuites === 0 ? 1 : 0, `${file} tells of no test`);
  fail(run.numRuntimeErrorTestSuites, `${run.numRuntimeErrorTestSuites} files could not be run`);
  for (const { name, assertionResults } of run.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (SKIPPED.includes(status)) fail(1, `skipped: ${name}: ${fullName}`);
      if (status === 'failed') console.log(`failed: ${name}: ${fullName}: ${messageOf(failureMessages)}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
