import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { apiKeysReadModel } from '../../../src/modules/api-keys/api-keys.read-model';
import type {
  PaymentTimeline,
  TimelineActor,
} from '../../../src/modules/payment-intents/queries/get-payment-timeline.query';
import { usersReadModel } from '../../../src/modules/users/users.read-model';
import type { Person } from '../../http/person';

/** The names of the merchant's own people and keys, by id. */
export type ActorNames = Readonly<Record<string, string>>;

/** The names of those who took part in a payment, as far as they have any. */
export async function actorNames(
  readModels: ReadModels,
  person: Pick<Person, 'merchantId' | 'mode'>,
  { entries }: Pick<PaymentTimeline, 'entries'>,
): Promise<ActorNames> {
  const actors = new Map<string, TimelineActor>();
  for (const entry of entries)
    if (entry.kind === 'event' && entry.actor.id !== null) actors.set(entry.actor.id, entry.actor);
  const named = await Promise.all(
    [...actors].map(async ([id, { type }]) => {
      const name = await (type === 'user' ? userName : keyName)(readModels, person, id);
      return name === null ? [] : [[id, name] as const];
    }),
  );
  return Object.fromEntries(named.flat());
}

type NameOf = (
  readModels: ReadModels,
  person: Pick<Person, 'merchantId' | 'mode'>,
  id: string,
) => Promise<string | null>;

const userName: NameOf = async (readModels, { merchantId }, id) => {
  const body = (await readModels.get(usersReadModel, 'platform', id))?.body;
  return body?.merchant_id === merchantId ? (body.name ?? body.email) : null;
};

const keyName: NameOf = async (readModels, { merchantId, mode }, id) => {
  const body = (await readModels.get(apiKeysReadModel, mode, id))?.body;
  return body?.merchant_id === merchantId ? body.name : null;
};
