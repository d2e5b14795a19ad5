import { refuse, type Refusal } from '../../../vocabulary/errors';
import type { Answer } from './provider-panel';
import type { NamedProvider } from './provider-state';

type Camp<P extends NamedProvider> = readonly Answer<P, unknown>[];

/** Answers grouped by their value, in the order in which each value first came. */
export function campsOf<A extends { readonly value: unknown }>(answers: readonly A[]): readonly (readonly A[])[] {
  const camps = new Map<string, A[]>();
  for (const answer of answers) {
    const said = textOf(answer.value);
    const camp = camps.get(said);
    if (camp) camp.push(answer);
    else camps.set(said, [answer]);
  }
  return [...camps.values()];
}

export function hostsOf<P extends NamedProvider>(camp: Camp<P>): string {
  return camp.map(({ provider }) => provider.name).join(', ');
}

export function disagreement<P extends NamedProvider>(subject: string, camps: readonly Camp<P>[]): Refusal {
  const message = `Providers disagree on ${subject}: ${camps.map(hostsOf).join(' against ')}.`;
  return refuse('provider_response_invalid', { message });
}

function textOf(value: unknown): string {
  return JSON.stringify([value], (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}
