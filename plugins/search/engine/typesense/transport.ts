import type { ConfigurationOptions } from 'typesense/lib/Typesense/Configuration'

type Adapter = Extract<ConfigurationOptions['axiosAdapter'], (...parameters: never) => unknown>

/**
 * Sends the client's requests with `fetch`, which Bun, Deno and the tests' network support, and limits each of them, because the client
 * sets no limit on imports.
 *
 * @param longestMs the limit of requests without one of their own
 */
export function fetchAdapter(longestMs: number): Adapter {
  return async config => {
    const signals = [AbortSignal.timeout(config.timeout || longestMs)]
    const cancelled = new AbortController()
    config.cancelToken?.promise.then(() => cancelled.abort())
    const response = await fetch(addressOf(config.url ?? '', config.params), {
      method: (config.method ?? 'get').toUpperCase(),
      headers: headersOf(config.headers.toJSON()),
      signal: AbortSignal.any([...signals, cancelled.signal]),
      ...(typeof config.data === 'string' ? { body: config.data } : {}),
    })
    return {
      data: await response.text(),
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      config,
    }
  }
}

function addressOf(address: string, parameters: unknown): string {
  const url = new URL(address)
  if (typeof parameters === 'object' && parameters !== null) {
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value))
    }
  }
  return url.href
}

function headersOf(given: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || value === null || value === false ? [] : [[name, String(value)]],
    ),
  )
}
