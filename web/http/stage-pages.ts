import type { SessionStage } from '../../src/modules/sessions/signed-in';

type Path = `/dashboard${string}`;

const PATHS: Readonly<Record<SessionStage, Path>> = {
  code: '/dashboard/code',
  choice: '/dashboard/choice',
  enrolment: '/dashboard/enrol',
  full: '/dashboard',
};

/** The page on which a session of the stage goes on. `next` is the page that was wanted, which later steps keep. */
export function pageOfStage(stage: SessionStage, next: Path | null = null): Path {
  if (next === null) return PATHS[stage];
  return stage === 'full' ? next : `${PATHS[stage]}?${new URLSearchParams({ next })}`;
}
