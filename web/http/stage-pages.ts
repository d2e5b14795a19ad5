import type { SessionStage } from '../../src/modules/sessions/signed-in';
import type { PageRealm, PlacePath } from '../parts/page-realm';

const STEPS: Readonly<Record<SessionStage, string>> = {
  code: '/code',
  choice: '/choice',
  enrolment: '/enrol',
  full: '',
};

/** The page on which a session of the stage goes on. `next` is the page that was wanted, which later steps keep. */
export function pageOfStage(
  { place }: Pick<PageRealm, 'place'>,
  stage: SessionStage,
  next: PlacePath | null = null,
): PlacePath {
  const path: PlacePath = `${place}${STEPS[stage]}`;
  if (next === null) return path;
  return stage === 'full' ? next : `${path}?${new URLSearchParams({ next })}`;
}
