import type { TestAccount } from '../test/support/service.ts'
import { mneme, type Surroundings } from './mneme.ts'

/** A command line of an account, against the service of this process; `meddle` may stand between, and `input` is its standard input. */
export async function runCommand(
  words: string[],
  of: TestAccount,
  meddle?: (request: Request) => Response | undefined | Promise<Response | undefined>,
  input = '',
) {
  const [lines, warnings]: [string[], string[]] = [[], []]
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    return (await meddle?.(request.clone())) ?? of.client.fetch(request)
  }
  const surroundings: Surroundings = {
    environment: { MNEME_API_KEY: of.client.headers['X-Api-Key'] ?? of.client.headers['x-api-key'] },
    terminal: {
      print: line => lines.push(line),
      warn: line => warnings.push(line),
      input: async () => input,
      bar: () => ({ update: () => undefined, stop: () => undefined }),
    },
    service: {
      fetch: Object.assign(send, { preconnect: () => undefined }),
      // The service works in this process: a look after each turn of its loop ends as soon as it has.
      pause: () => new Promise(setImmediate),
    },
  }
  return { code: await mneme(words, surroundings), lines, warnings, text: lines.join('\n') }
}
