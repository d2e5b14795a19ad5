import { Degraded } from '../../../src/kernel/ports/readiness';
import { projectionsReadiness } from '../../../projections/runner/projections-readiness';

async function fault(failed: readonly string[], stalled: readonly string[]): Promise<unknown> {
  return projectionsReadiness({ failed }, { stalled })
    .check()
    .then(
      () => null,
      (error: unknown) => error,
    );
}

describe('readiness by projections', () => {
  it('holds while all of them follow', async () => {
    expect(await fault([], [])).toBeNull();
  });

  it('is degraded, and no more, while one stands still', async () => {
    const found = await fault([], ['wallets', 'users']);
    expect(found).toBeInstanceOf(Degraded);
    expect(found).toMatchObject({ message: 'stalled: wallets, users' });
  });

  it('is lost when one has stopped, whatever the others do', async () => {
    const found = await fault(['routes'], ['wallets']);
    expect(found).not.toBeInstanceOf(Degraded);
    expect(found).toMatchObject({ message: 'stopped: routes' });
  });
});
