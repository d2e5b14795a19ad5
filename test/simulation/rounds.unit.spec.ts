import { Rounds } from './rounds';

const MANY = 200;

it('a round ends after all that could go on, in its order', async () => {
  const rounds = new Rounds();
  const seen: string[] = [];
  for (let round = 0; round < MANY; round++) {
    process.nextTick(() => seen.push(`${round} tick`));
    void Promise.resolve()
      .then(() => undefined)
      .then(() => seen.push(`${round} promise`));
    await rounds.next();
    expect(seen.splice(0).sort()).toStrictEqual([`${round} promise`, `${round} tick`]);
  }
});

it('timers come in their turn between rounds, and a failure that nobody handles is told at the end of its round', async () => {
  const rounds = new Rounds();
  const told: unknown[] = [];
  const [former] = process.rawListeners('unhandledRejection').map(each => each as NodeJS.UnhandledRejectionListener);
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', error => told.push(error));
  let hasFired = false;
  setTimeout(() => (hasFired = true), 0);
  await rounds.next();
  void Promise.reject(new Error('of this round'));
  await rounds.next();
  expect(told).toStrictEqual([new Error('of this round')]);
  process.removeAllListeners('unhandledRejection');
  if (former) process.on('unhandledRejection', former);
  for (const end = Date.now() + 1_000; !hasFired && Date.now() < end;) await rounds.next();
  expect(hasFired).toBe(true);
});
