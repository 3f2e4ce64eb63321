import { NotCompletedError, TimedOutError } from './errors.ts'
import type {
  AssembleContextInput,
  AssembleContextResult,
  Conversation,
  CreateConversationInput,
  CreateExportInput,
  CreateMemoryBatchInput,
  CreateMemoryBatchResult,
  CreateMemoryInput,
  FoundMemoryPage,
  GiveFeedbackInput,
  Import,
  IngestDocumentInput,
  IngestJob,
  ListMemoriesInput,
  ListMemoryHistoryInput,
  Memory,
  MemoryEventPage,
  MemoryPage,
  Operations,
  Profile,
  SearchMemoriesInput,
  StoredMemory,
  UpdateMemoryInput,
  Verbs,
  Waitable,
} from './generated/api.ts'
import { DuplicateMemoryError, VERBS, WAITED_FOR } from './generated/api.ts'
import { Pages } from './pages.ts'
import { type ClientOptions, type RequestOptions, Requests, wait } from './requests.ts'

type Messages = CreateConversationInput['messages']
type Without<Input, Names extends string> = Omit<Input, Names>

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined
  /** Gives up after so long, 10 minutes when left out. */
  readonly timeoutMs?: number | undefined
}

/**
 * A memory service, by what one does with it. `request` calls every operation by its name; `graph`, `knowledge`, `webhooks` and the
 * others have a method for each.
 *
 *     const mneme = new Mneme()
 *     await mneme.remember('Ada prefers TypeScript.', { user_id: 'ada' })
 *     const known = await mneme.recall('Which language does Ada like?', { user_id: 'ada' })
 */
export class Mneme extends Requests implements Verbs {
  readonly memories = this.#verbs('memories')
  readonly users = this.#verbs('users')
  readonly searches = this.#verbs('searches')
  readonly graph = this.#verbs('graph')
  readonly knowledge = this.#verbs('knowledge')
  readonly conversations = this.#verbs('conversations')
  readonly exports = this.#verbs('exports')
  readonly imports = this.#verbs('imports')
  readonly documents = this.#verbs('documents')
  readonly templates = this.#verbs('templates')
  readonly webhooks = this.#verbs('webhooks')
  readonly dashboard = this.#verbs('dashboard')
  readonly workspaces = this.#verbs('workspaces')
  readonly keys = this.#verbs('keys')
  readonly server = this.#verbs('server')
  readonly #workspace: string | undefined

  constructor(options: ClientOptions = {}) {
    super(options)
    this.#workspace = options.workspace
  }

  /** Stores a text, and takes one that is stored already for done: there is no memory to return then. */
  remember(
    text: string,
    who?: Without<CreateMemoryInput, 'memory' | 'content'>,
    options?: RequestOptions,
  ): Promise<StoredMemory | undefined>
  /** Submits messages, of which the service keeps what the user says. */
  remember(
    messages: Messages,
    who?: Without<CreateConversationInput, 'messages'>,
    options?: RequestOptions,
  ): Promise<Conversation>
  async remember(
    what: string | Messages,
    who: Without<CreateMemoryInput, 'memory'> & Without<CreateConversationInput, 'messages'> = {},
    options?: RequestOptions,
  ): Promise<StoredMemory | Conversation | undefined> {
    if (typeof what !== 'string') return this.conversation(what, who, options)
    return this.add({ ...who, memory: what }, options).catch(error => {
      if (error instanceof DuplicateMemoryError) return undefined
      throw error
    })
  }

  /** Gives what is known that bears on a message, as Markdown for a prompt; empty where nothing is. */
  async recall(query: string, who?: Without<AssembleContextInput, 'query'>, options?: RequestOptions): Promise<string> {
    return (await this.context(query, who, options)).context
  }

  /** As {@link recall}, with the memories that it is made of. */
  context(
    query: string,
    who?: Without<AssembleContextInput, 'query'>,
    options?: RequestOptions,
  ): Promise<AssembleContextResult> {
    return this.request('assembleContext', { ...who, query }, options)
  }

  search(
    query: string,
    input?: Without<SearchMemoriesInput, 'query'>,
    options?: RequestOptions,
  ): Pages<FoundMemoryPage> {
    return this.searches.run(query, input, options)
  }

  add(input: CreateMemoryInput, options?: RequestOptions): Promise<StoredMemory> {
    return this.request('createMemory', input, options)
  }

  /** Stores up to 500 at once; the result says of each whether it was stored. */
  addMany(memories: CreateMemoryBatchInput['memories'], options?: RequestOptions): Promise<CreateMemoryBatchResult> {
    return this.request('createMemoryBatch', { memories }, options)
  }

  get(id: string, options?: RequestOptions): Promise<Memory> {
    return this.request('getMemory', { id }, options)
  }

  update(id: string, input: Without<UpdateMemoryInput, 'id'>, options?: RequestOptions): Promise<StoredMemory> {
    return this.request('updateMemory', { ...input, id }, options)
  }

  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.request('deleteMemory', { id }, options)
  }

  list(input?: ListMemoriesInput, options?: RequestOptions): Pages<MemoryPage> {
    return this.memories.list(input, options)
  }

  history(id: string, input?: Without<ListMemoryHistoryInput, 'id'>, options?: RequestOptions): Pages<MemoryEventPage> {
    return this.memories.history(id, input, options)
  }

  /** Says whether a result helped; `query_hash` of the search or the context says for which query. */
  feedback(
    id: string,
    signal: GiveFeedbackInput['signal'],
    input?: Without<GiveFeedbackInput, 'id' | 'signal'>,
    options?: RequestOptions,
  ): Promise<void> {
    return this.request('giveFeedback', { ...input, id, signal }, options)
  }

  async conversation(
    messages: Messages,
    who?: Without<CreateConversationInput, 'messages' | 'dry_run'>,
    options?: RequestOptions,
  ): Promise<Conversation> {
    const made = await this.request('createConversation', { ...who, messages }, options)
    if ('id' in made) return made
    throw new TypeError('conversation stores; rehearse one by request with dry_run')
  }

  /** Makes memories of a file, or of the page at an address. */
  ingest(
    source: Blob | URL | string,
    input?: Without<IngestDocumentInput, 'file' | 'source_url'>,
    options?: RequestOptions,
  ): Promise<IngestJob> {
    const from = source instanceof Blob ? { file: source } : { source_url: String(source) }
    return this.request('ingestDocument', { ...input, ...from }, options)
  }

  /** Gives a summary of what is known of a user; null while there is none. */
  async profile(userId: string, options?: RequestOptions): Promise<Profile | null> {
    const workspaceId = this.#workspace ?? (await this.workspaces.list({ page_size: 1 }, options)).data[0]?.id ?? ''
    const found = await this.request('getProfile', { workspaceId, userId }, options)
    return 'sources' in found ? null : found.profile
  }

  /** Makes an export, waits for it, and gives its download. */
  async export(input: CreateExportInput, options?: RequestOptions): Promise<Response> {
    const made = await this.waitUntilCompleted(await this.exports.create(input, options), options)
    return this.exports.download(made.id, {}, options)
  }

  /** Imports an export of this service or of another, and waits until it is read. */
  async import(file: Blob, input?: { readonly user_id?: string }, options?: RequestOptions): Promise<Import> {
    return this.waitUntilCompleted(await this.imports.create(file, input, options), options)
  }

  /**
   * Waits for work in the background: of a memory, a conversation, a document, an export, an import or an erasure.
   * @throws NotCompletedError where it ended otherwise
   */
  async waitUntilCompleted<W extends Waitable | StoredMemory>(
    work: W,
    { signal, timeoutMs = 600_000 }: WaitOptions = {},
  ): Promise<W extends StoredMemory ? Memory : W> {
    const [operation] = Object.entries(WAITED_FOR).find(([, field]) => field in work) ?? []
    const until = Date.now() + timeoutMs
    for (let pause = 100; ; pause = Math.min(pause * 1.5, 3000)) {
      const now = await this.call(
        operation as keyof typeof WAITED_FOR,
        { id: work.id, workspace_id: workspaceOf(work) },
        { signal },
      )
      if (now.status === 'COMPLETED') return now
      if (now.status !== 'PENDING' && now.status !== 'PROCESSING') {
        throw new NotCompletedError(now.error ?? `It ended as ${now.status}`, { code: 'NOT_COMPLETED', cause: now })
      }
      if (Date.now() + pause > until)
        throw new TimedOutError(`It is not completed after ${timeoutMs} ms`, { code: 'TIMED_OUT' })
      await wait(pause, signal)
    }
  }

  /** Makes the methods of a group from its table, which was generated together with their types. */
  #verbs<Name extends keyof Verbs>(name: Name): Verbs[Name] {
    const methods = Object.entries(VERBS[name]).map(([verb, line]) => [verb, this.#method(line)])
    return Object.fromEntries(methods)
  }

  #method(line: string) {
    const [call = '', ...words] = line.split(' ')
    const operation = call.replace('*', '') as keyof Operations
    const first = words.filter(word => !word.includes('='))
    const fixed = Object.fromEntries(words.filter(word => word.includes('=')).map(word => word.split('=')))
    return (...values: unknown[]) => {
      const [input, options] = values.slice(first.length) as [object?, RequestOptions?]
      const all = { ...input, ...fixed, ...Object.fromEntries(first.map((field, n) => [field, values[n]])) }
      const run = (page?: number) => this.call(operation, page ? { ...all, page } : all, options ?? {})
      return call.endsWith('*') ? new Pages(run) : run()
    }
  }
}

/** A memory says which workspace it is in, which may be another than the key's. */
function workspaceOf(work: object): string | undefined {
  return 'workspace_id' in work ? String(work.workspace_id) : undefined
}
