import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { isId } from '../../../vocabulary/ids';
import { adminsReadModel, type AdminDocument } from '../admins.read-model';

/** Names of administrators by their ids. */
export type AdminNames = Readonly<Record<string, string>>;

/** Administrators by name and address: people choose their own names. Ids of nobody are left out. */
export class NameAdmins extends Query<AdminNames> {
  constructor(readonly ids: readonly (string | null)[]) {
    super();
  }
}

@QueryHandler(NameAdmins)
export class NameAdminsHandler implements IQueryHandler<NameAdmins> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ ids }: NameAdmins): Promise<AdminNames> {
    const known = [...new Set(ids.filter(id => id !== null && isId('adm', id)))] as string[];
    const found = await Promise.all(known.map(id => this.readModels.get(adminsReadModel, 'platform', id)));
    return Object.fromEntries(found.flatMap(admin => (admin ? [[admin.id, adminName(admin.body)]] : [])));
  }
}

export function adminName({ name, email }: Pick<AdminDocument, 'name' | 'email'>): string {
  return name === null ? email : `${name} (${email})`;
}
