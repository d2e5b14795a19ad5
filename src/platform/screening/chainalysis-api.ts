import { z } from 'zod';
import { SECOND_MS } from '../../kernel/clock';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import { fetchText } from '../outbound/fetch-text';
import { parseAnswer } from '../outbound/parse-answer';
import type { ScreeningMember } from './screening-member';

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_REFERENCE_LENGTH = 200;

type ChainalysisOptions = {
  readonly baseUrl: string;
  /** The key is sent as `X-API-Key`. */
  readonly apiKey: string;
  readonly timeoutMs?: number;
};

/**
 * `{"identifications":[{"category":"sanctions","name":"…","description":"…","url":"…"}]}`; an address without any is
 * not listed.
 */
const ANSWER = z.object({
  identifications: z.array(z.object({ category: z.string().nullish(), name: z.string().nullish() })),
});

/** The sanctions API of Chainalysis, which knows addresses of every network by their text alone. */
export class ChainalysisApi implements ScreeningMember {
  readonly name = 'chainalysis';

  constructor(private readonly options: ChainalysisOptions) {}

  covers(): boolean {
    return true;
  }

  /** Throws Refusal provider_unavailable or provider_response_invalid. */
  async screen({ payer }: ScreenedTransfer): Promise<ScreeningVerdict> {
    const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS } = this.options;
    const url = `${baseUrl}/api/v1/address/${encodeURIComponent(payer)}`;
    const text = await fetchText({ source: this.name, url, headers: { 'x-api-key': apiKey }, timeoutMs });
    const [found] = parseAnswer(this.name, text, ANSWER).identifications;
    if (!found) return { verdict: 'clear', source: this.name, reference: null };
    const reference = [found.category, found.name].filter(Boolean).join(': ').slice(0, MAX_REFERENCE_LENGTH);
    return { verdict: 'high_risk', source: this.name, reference: reference || null };
  }
}
