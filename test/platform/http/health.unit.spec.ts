import type { FastifyReply } from 'fastify';
import type { ReadinessCheck } from '../../../src/kernel/ports/readiness';
import { HealthController } from '../../../src/platform/http/health.controller';
import { RecordingLog } from '../../support/fixture-doubles';
import { ManualClock, NOON } from '../../support/payment-fixture';

const ASKERS = 20;

it('asks each engine once for all who ask for readiness at the same time', async () => {
  const answers: (() => void)[] = [];
  const check = (): Promise<void> => new Promise(resolve => answers.push(resolve));
  const engine: ReadinessCheck = { name: 'event_store', check };
  const health = new HealthController([engine], new ManualClock(NOON), new RecordingLog());
  const ready = () => health.ready({ status: () => undefined } as unknown as FastifyReply);
  const told = Array.from({ length: ASKERS }, ready);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  const ok = { status: 'ok', checks: { event_store: 'ok' }, alarms: [] };
  expect(await Promise.all(told)).toStrictEqual(Array.from({ length: ASKERS }, () => ok));
  const later = ready();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  expect(await later).toStrictEqual(ok);
});
