/** Speaks to a service, in this process or elsewhere; every answer that is no success ends the run. */
export class BenchClient {
  constructor(
    private readonly base: string,
    private readonly key: string,
    private readonly send: (request: Request) => Promise<Response> = fetch,
  ) {}

  async call<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<T> {
    const response = await this.send(
      new Request(this.base + path, {
        method,
        headers: { 'X-Api-Key': this.key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
}
