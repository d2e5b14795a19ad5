import { request, type Agent } from 'node:http';

/** Sends JSON and reads the answer to its end; rejects for any but 200. */
export function post(
  agent: Agent,
  url: string,
  body: string,
  key: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }), ...headers },
      },
      response => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(String(response.statusCode))),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
