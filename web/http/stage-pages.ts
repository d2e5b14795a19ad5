import type { SessionStage } from '../../src/modules/sessions/signed-in';

const PATHS: Readonly<Record<SessionStage, string>> = {
  code: '/dashboard/code',
  choice: '/dashboard/choice',
  enrolment: '/dashboard/enrol',
  full: '/dashboard',
};

/** The page on which a session of the stage goes on. `next` is the page that was wanted, which later steps keep. */
export function pageOfStage(stage: SessionStage, next: string | null = null): string {
  if (next === null) return PATHS[stage];
  return stage === 'full' ? next : `${PATHS[stage]}?${new URLSearchParams({ next })}`;
}
