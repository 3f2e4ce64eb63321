import { setTimeout as pause } from 'node:timers/promises'
import { randomFrom, variedQuestion, variedText } from '../support/varied-texts.ts'
import { BAD_BODIES, type Operation } from './operations.ts'
import type { Record as Log } from './record.ts'

/** A client keeps so many memories, so that the last ten minutes search among as many as the first. */
const KEPT_MAX = 1000
/** Between two requests of one client. */
const PAUSE_MS = 50

/** One client of one workspace: it reads, writes and searches, uses every operation, and sends what no route takes. */
export class SoakClient {
  /** Ids of memories that were acknowledged and not asked to be deleted. */
  readonly acknowledged = new Set<string>()
  readonly #random: () => number
  #texts: number

  constructor(
    readonly key: string,
    private readonly base: () => string,
    private readonly operations: readonly Operation[],
    private readonly log: Log,
    seed: number,
  ) {
    this.#random = randomFrom(seed)
    this.#texts = seed * 1_000_000
  }

  async run(until: number): Promise<void> {
    while (Date.now() < until) {
      await this.#step()
      await pause(PAUSE_MS * (0.5 + this.#random()))
    }
  }

  async send(method: string, path: string, body?: string | FormData, name = path): Promise<Response | undefined> {
    const began = performance.now()
    const response = await this.#fetch(method, path, body)
    this.log.add(`${method} ${name}`, began, response)
    return response
  }

  async #fetch(method: string, path: string, body?: string | FormData): Promise<Response | undefined> {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    try {
      const response = await fetch(this.base() + path, {
        method,
        headers: { 'x-api-key': this.key, ...type },
        signal: AbortSignal.timeout(60_000),
        ...(body === undefined ? {} : { body }),
      })
      // Where the connection breaks in the middle, there was no response.
      const text = await response.text()
      return new Response(text === '' ? null : text, response)
    } catch {
      return undefined
    }
  }

  async #step(): Promise<void> {
    if (this.acknowledged.size > KEPT_MAX) return this.#deleteOldest()
    const steps: readonly (readonly [weight: number, step: () => Promise<unknown>])[] = [
      [6, () => this.#create(this.#text())],
      [1, () => this.#create(Array.from({ length: 60 }, () => this.#text()).join(' '))],
      [1, () => this.#batch()],
      [5, () => this.#post('/v1/memories/search', { query: variedQuestion(this.#texts) })],
      [2, () => this.send('GET', `/v1/memories?search=${encodeURIComponent('office')}`, undefined, '/v1/memories')],
      [4, () => this.#one('GET')],
      [1, () => this.#one('PUT', { memory: this.#text() })],
      [1, () => this.#delete()],
      [1, () => this.#post('/v1/memories/conversations', { messages: [{ role: 'user', content: this.#text() }] })],
      [0.2, () => this.#upload()],
      [8, () => this.#any()],
    ]
    let at = this.#random() * steps.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, step] of steps) {
      at -= weight
      if (at < 0) return void (await step())
    }
  }

  #text(): string {
    return `${variedText(this.#texts++)} (${this.#texts})`
  }

  #post(path: string, body: unknown): Promise<Response | undefined> {
    return this.send('POST', path, JSON.stringify(body))
  }

  async #create(memory: string): Promise<void> {
    const response = await this.#post('/v1/memories', { memory })
    if (response?.status === 201) this.acknowledged.add(((await response.json()) as { id: string }).id)
  }

  async #batch(): Promise<void> {
    const memories = Array.from({ length: 20 }, () => ({ memory: this.#text() }))
    const response = await this.#post('/v1/memories/batch', { memories })
    if (response?.status !== 207) return
    const { results } = (await response.json()) as { results: { memory?: { id: string } }[] }
    for (const { memory } of results) if (memory) this.acknowledged.add(memory.id)
  }

  async #one(method: string, body?: object): Promise<void> {
    const id = this.#anyId()
    await this.send(method, `/v1/memories/${id}`, body && JSON.stringify(body), '/v1/memories/{id}')
  }

  async #delete(): Promise<void> {
    await this.#forget(this.#anyId())
  }

  async #forget(id: string): Promise<void> {
    this.acknowledged.delete(id)
    await this.send('DELETE', `/v1/memories/${id}`, undefined, '/v1/memories/{id}')
  }

  async #deleteOldest(): Promise<void> {
    for (const id of [...this.acknowledged].slice(0, this.acknowledged.size - KEPT_MAX)) await this.#forget(id)
  }

  async #upload(): Promise<void> {
    const form = new FormData()
    const text = Array.from({ length: 20 }, () => this.#text()).join('\n\n')
    form.append('file', new Blob([text], { type: 'text/plain' }), 'notes.txt')
    await this.send('POST', '/v1/memories/ingest', form)
  }

  /** Any operation of the document: reads, examples of it, and bodies that are refused. */
  async #any(): Promise<void> {
    const operation = this.#pick(this.operations)
    const isRead = operation.method === 'GET'
    const path = operation.path.replace(/\{[^}]+\}/g, () => (isRead ? this.#anyId() : crypto.randomUUID()))
    const hasExample = operation.example !== undefined && this.#random() < 0.5
    const body = hasExample ? JSON.stringify(operation.example) : this.#pick(BAD_BODIES)
    await this.send(operation.method, path, isRead || operation.method === 'HEAD' ? undefined : body, operation.path)
  }

  #anyId(): string {
    const ids = [...this.acknowledged].slice(-200)
    return ids.length === 0 ? crypto.randomUUID() : this.#pick(ids)
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }
}
