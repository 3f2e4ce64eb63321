import { createHash } from 'node:crypto'
import type { Database } from 'mneme/plugin'
import { openDatabase } from '../../../core/db/database.ts'
import {
  FAKE_URL,
  FakeEndpoint,
  type FakeRequest,
  failure,
  vectorsResponse,
} from '../../../core/models/http/fake-endpoint.test-support.ts'
import type { TestAccount } from '../../../test/support/accounts.ts'
import type { Client, Json } from '../../../test/support/client.ts'
import { closeAll } from '../../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { hurry } from '../../../test/support/jobs.ts'
import { startService, type TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/wait.ts'

/**
 * A model served by the fake endpoint. Two texts have similar vectors only if their letters are the same in another order, so that a query
 * can match a memory by meaning without sharing a word.
 */
export interface FakeModel {
  readonly name: string
  readonly dimensions: number
  /** Models with the same seed produce the same vectors. */
  seed: string
  /** Replies in place of the vectors, perhaps later; undefined lets the vectors through. */
  behave: (request: FakeRequest) => Promise<Response | undefined> | Response | undefined
  /** Every text it was asked to embed, without the probes of the service. */
  readonly asked: string[]
}

/** The service itself asks for these texts, at start and when it reads feedback. */
const PROBES = new Set(['probe', 'feedback', 'The harbour master writes the names of all ships into a blue book.'])

export class FakeModels {
  readonly endpoint = new FakeEndpoint()
  readonly #models = new Map<string, FakeModel>()

  async start(): Promise<void> {
    await this.endpoint.start()
    this.endpoint.respond(request => this.#respond(request))
  }

  add(name: string, dimensions: number): FakeModel {
    const model: FakeModel = { name, dimensions, seed: name, asked: [], behave: () => undefined }
    this.#models.set(name, model)
    return model
  }

  /** Creates two models for one test, with vectors of 16 and 24 numbers. */
  pair(): readonly [former: FakeModel, next: FakeModel] {
    const made = this.#models.size
    return [this.add(`former-${made}`, 16), this.add(`next-${made}`, 24)]
  }

  async #respond(request: FakeRequest): Promise<Response> {
    const model = this.#models.get(request.body.model)
    if (!model) return failure(404, request)
    // The service asks for the vector length at start if the settings omit it.
    const start = request.body.input.join() === 'probe' && request.body.dimensions === undefined
    const instead = start ? undefined : await model.behave(request)
    if (instead) return instead
    model.asked.push(...request.body.input.filter(text => !PROBES.has(text)))
    return vectorsResponse(request.body.input.map(text => vectorOf(model, text)))
  }
}

/** Delays vectors until a gate opens; use it as {@link FakeModel.behave}. */
export async function heldBack({ opened }: { readonly opened: Promise<void> }): Promise<undefined> {
  await opened
}

export function vectorOf({ seed, dimensions }: Pick<FakeModel, 'seed' | 'dimensions'>, text: string): number[] {
  const letters = [...text].sort().join('')
  const values: number[] = []
  for (let block = 0; values.length < dimensions; block++) {
    const digest = createHash('sha256').update(`${seed} ${block} ${letters}`).digest()
    for (let at = 0; at + 2 <= digest.length; at += 2) values.push(digest.readInt16LE(at) / 32_768)
  }
  return values.slice(0, dimensions)
}

/** While a test waits for a condition, pauses are cut to this time. */
const HURRY_MS = 100

/** A database with services that are configured with different models. */
export class EmbeddingWorld {
  static readonly #running: TestService[] = []
  static readonly #open: { close(): Promise<void> }[] = []

  #hurriedAt = Number.NEGATIVE_INFINITY

  private constructor(
    private readonly url: string,
    readonly database: Database,
    readonly account: TestAccount,
    readonly first: TestService,
  ) {}

  /** Starts the first service, with a workspace and these memories, all embedded; without a fake model, with the built-in one. */
  static async open(model: FakeModel | undefined, texts: readonly string[]): Promise<EmbeddingWorld> {
    const url = await ownDatabaseUrl()
    const first = await EmbeddingWorld.#start(url, settingsOf(model))
    const account = await first.account()
    // The test may stop any service, so this connection is separate.
    const database = openDatabase({ url, poolSize: 1 })
    EmbeddingWorld.#open.push(database)
    const world = new EmbeddingWorld(url, database, account, first)
    await world.write(texts)
    return world
  }

  /** Starts a further service, like another process. */
  async start(model?: FakeModel, settings: Record<string, string> = {}): Promise<TestService> {
    return EmbeddingWorld.#start(this.url, { ...settingsOf(model), ...settings })
  }

  static async #start(url: string, settings: Record<string, string>): Promise<TestService> {
    const service = await startService({ DATABASE_POOL: '4', ...settings }, { url })
    EmbeddingWorld.#running.push(service)
    return service
  }

  /** Stops every service of every world. */
  static async stopAll(): Promise<void> {
    await Promise.all(EmbeddingWorld.#running.splice(0).map(({ kernel }) => kernel.stop()))
    await Promise.all(EmbeddingWorld.#open.splice(0).map(database => database.close()))
    // Each test has a database of its own, and a dozen of them take more than a gigabyte.
    await closeAll()
  }

  clientOf(service: TestService): Client {
    return service.anonymous.with(this.account.client.headers)
  }

  async write(texts: readonly string[], service = this.first): Promise<string[]> {
    const client = this.clientOf(service)
    const ids: string[] = []
    for (let from = 0; from < texts.length; from += 100) {
      const memories = texts.slice(from, from + 100).map(memory => ({ memory }))
      const { body } = await client.post('/v1/memories/batch', { memories })
      ids.push(...body.results.map((result: Json) => result.memory.id))
    }
    await this.processed()
    return ids
  }

  async processed(): Promise<void> {
    const { workspaceId } = this.account
    await until('all memories are processed', async () => {
      const open = await this.database.system(
        tx => tx`
          select from memories.memory where memory.workspace_id = ${workspaceId} and memory.status <> 'COMPLETED' limit 1`,
      )
      return open.length === 0
    })
  }

  /** Reads the health details: the active model and the progress. */
  async details(service: TestService): Promise<Json> {
    return (await service.anonymous.get('/ready')).body.details.embeddings
  }

  /** Waits until a service uses a model and nothing is in progress. */
  async switched(service: TestService, model?: FakeModel): Promise<void> {
    const name = model ? `http/${model.name}` : BUILT_IN
    await until(
      `searches go by ${name}`,
      async () => {
        await this.#hurry()
        const { active, target } = await this.details(service)
        return active === name && target === null
      },
      100_000,
    )
  }

  /** Ends the grace period and waits until the former vectors are deleted. */
  async cleaned(): Promise<void> {
    await this.database.system(
      tx =>
        tx`update search.embedding_use set clean_from = now() - interval '1 second' where embedding_use.clean_from is not null`,
    )
    await until(
      'former vectors are deleted',
      async () => {
        await this.#hurry()
        const [row] = await this.database.system(tx => tx`select clean_from from search.embedding_use`)
        return row?.clean_from === null
      },
      100_000,
    )
  }

  /** Ends pauses after failures now. The job that waits for the end of a grace period would find nothing to do, and not come again. */
  async #hurry(): Promise<void> {
    if (performance.now() - this.#hurriedAt < HURRY_MS) return
    const waiting = await this.database.system(async tx => {
      await tx`update search.embedding_use set resume_at = now() - interval '1 second' where embedding_use.resume_at > now()`
      return tx`select from search.embedding_use where embedding_use.clean_from > now()`
    })
    if (waiting.length === 0) await hurry(this.database, 'search:re-embed')
    this.#hurriedAt = performance.now()
  }

  /** Counts the vectors of each model. */
  async vectors(): Promise<Record<string, number>> {
    const rows = await this.database.system(
      tx => tx<{ name: string; count: number }[]>`
        select model.model_id || '/' || model.dimensions as name, count(*) as count
        from search.embedding
        join search.model on model.id = embedding.model
        group by model.id
        order by model.id`,
    )
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
  }

  /** Counts the passages of each memory. */
  async passages(): Promise<Record<string, number>> {
    const rows = await this.database.system(
      tx => tx<{ id: string; count: number }[]>`
        select passage.memory_id as id, count(*) as count
        from search.passage
        group by passage.memory_id`,
    )
    return Object.fromEntries(rows.map(({ id, count }) => [id, count]))
  }

  async gaps(): Promise<number> {
    const rows = await this.database.system(tx => tx`select from search.embedding_gap`)
    return rows.length
  }
}

const BUILT_IN = 'local/all-MiniLM-L6-v2-int8'

export function settingsOf(model?: FakeModel): Record<string, string> {
  return model ? { EMBEDDINGS: 'http', EMBEDDINGS_URL: FAKE_URL, EMBEDDINGS_MODEL: model.name } : {}
}

/** Builds a query that means the text but shares none of its words. */
export function meaning(text: string): string {
  return [...text].reverse().join('')
}

/** Builds texts that share one word. */
export function numbered(count: number, subject = 'note'): string[] {
  return Array.from(
    { length: count },
    (_, n) => `${subject} ${createHash('sha256').update(`${n}`).digest('hex').slice(0, 12)}`,
  )
}

export interface Found {
  readonly texts: string[]
  readonly warning: string | undefined
  readonly status: number
}

export async function search(client: Client, query: string, mode = 'semantic'): Promise<Found> {
  const { status, body } = await client.post('/v1/memories/search', { query, mode, limit: 5 })
  return { status, texts: (body.data ?? []).map(({ memory }: Json) => memory), warning: body.warning }
}
