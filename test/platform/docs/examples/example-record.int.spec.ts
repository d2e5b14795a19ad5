import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { RECORDED_EXAMPLES, type RecordedExamples } from '../../../../src/platform/docs/recorded-examples';
import { Plays } from './plays';

const RECORD = path.resolve(__dirname, '..', '..', '..', '..', 'src', 'platform', 'docs', 'recorded-examples.json');
const LIMIT_MS = 120_000;

/** The members of a value, and the kinds of the values in them. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

/** `npm run examples:record` records the answers where the service answers in another form. */
it(
  'answers calls in the form of the recorded examples',
  async () => {
    const examples = await Plays.recorded();
    const isRecording = process.env.RECORD_EXAMPLES === '1';
    if (isRecording) writeFileSync(RECORD, `${JSON.stringify(examples, null, 2)}\n`);
    const recorded: RecordedExamples = isRecording ? examples : RECORDED_EXAMPLES;
    expect(shapeOf(examples)).toEqual(shapeOf(recorded));
  },
  LIMIT_MS,
);
