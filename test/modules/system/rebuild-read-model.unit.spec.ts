import { RebuildReadModel, RebuildReadModelHandler } from '../../../src/modules/system/maintenance.command';
import type { ReadModelRebuilds } from '../../../src/modules/system/read-model-rebuilds';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { WritePath } from '../../../src/kernel/write-path';

type Standing = Awaited<ReturnType<ReadModelRebuilds['standing']>>;

/** The steps of the handler, the refusal among them. */
async function outcomeOf(standing: Standing): Promise<readonly string[]> {
  const steps: string[] = [];
  const writes = { execute: () => Promise.resolve(steps.push('recorded')) } as unknown as WritePath;
  const rebuilds = {
    standing: () => Promise.resolve(standing),
    start: (name: string) => void steps.push(`started ${name}`),
  };
  const command = new RebuildReadModel('payment_intents', 'A doubt.', {} as RebuildReadModel['context']);
  try {
    await new RebuildReadModelHandler(writes, rebuilds).execute(command);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    steps.push(error.code);
  }
  return steps;
}

it.each<[Standing, readonly string[]]>([
  ['at_rest', ['recorded', 'started payment_intents']],
  ['under_way', ['invalid_state_transition']],
  [null, ['resource_missing']],
])('of a read model that is %s comes to %j', async (standing, steps) => {
  expect(await outcomeOf(standing)).toEqual(steps);
});
