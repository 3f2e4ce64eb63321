import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { forEachAtOnce } from './at-once.ts'
import { bodyOf, type Content, inWorkspace, messageOf, RequestError, type Service, ServiceError } from './service.ts'
import { findSources, type Source } from './sources.ts'
import type { Terminal } from './terminal.ts'

export interface ImportOptions {
  readonly user: string | undefined
  readonly categories: string | undefined
  readonly workspace: string | undefined
  readonly replace: boolean
  /** Names documents, in place of the full path to their folder. */
  readonly root: string | undefined
  /** JSON files are exports of this or another service, not documents. */
  readonly archives: boolean
}

const LOOK_MS = 1000

/** Says how many memories a source made and what of it was left out, or why it made none. */
type Outcome =
  | {
      readonly created: number
      readonly skipped: number
      /** Memories of an import whose time was over. */
      readonly expired: number
      /** Lines of an import that are no memories now. */
      readonly linesFailed: number
      /** Sentences about the first of these, or about what of a document could not be read. */
      readonly faults: readonly string[]
    }
  | { readonly failure: string }

/**
 * Imports files, folders and pages, and waits until they can be searched.
 * @returns 0 when all of it was imported, 1 when something was not
 */
export async function runImport(
  service: Service,
  terminal: Terminal,
  given: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { archives: areArchives, root } = options
  const { sources, passedOver, missing } = await findSources(given, {
    areArchives,
    root,
    documentsFor: unfitOption(options),
  })
  for (const { path, reason } of passedOver) terminal.print(`passed over  ${path}${reason ? `: ${reason}` : ''}`)
  for (const { path, reason } of missing) terminal.print(`failed       ${path}: ${reason}`)
  const bar = terminal.bar('importing', sources.length)
  let done = 0
  let created = 0
  let failed = missing.length
  const work = async (source: Source) => {
    const outcome = await importOne(service, source, options)
    bar.update(++done)
    if ('failure' in outcome || outcome.linesFailed > 0) failed++
    if ('created' in outcome) created += outcome.created
    for (const line of linesOf(source, outcome)) terminal.print(line)
  }
  await forEachAtOnce(sources, work).finally(() => bar.stop())
  const left = passedOver.length > 0 ? `, ${passedOver.length} passed over` : ''
  terminal.print(`${created} memories of ${sources.length} sources, ${failed} failed${left}`)
  return failed > 0 ? 1 : 0
}

function linesOf(source: Source, outcome: Outcome): string[] {
  const name = source.kind === 'page' ? source.url : source.path
  if ('failure' in outcome) return [`failed       ${name}: ${outcome.failure}`]
  const { created, skipped, expired, linesFailed, faults } = outcome
  const word = linesFailed > 0 ? 'in part      ' : 'imported     '
  const there = skipped > 0 ? `, ${skipped} were there already` : ''
  const over = expired > 0 ? `, ${expired} had expired` : ''
  const failed = linesFailed > 0 ? `, ${linesFailed} lines failed` : ''
  return [
    `${word}${name}: ${created} memories${there}${over}${failed}`,
    ...faults.map(fault => `             ${fault}`),
  ]
}

async function importOne(service: Service, source: Source, options: ImportOptions): Promise<Outcome> {
  try {
    const unfit = source.kind === 'archive' ? unfitOption(options) : undefined
    if (unfit) return { failure: `${unfit} is for documents: leave it out for lines of JSON and exports` }
    const digest = await digestOf(source, options)
    for (let attempt = digest; ; ) {
      // The same file for the same user is the same request: what a run that broke off has under way is gone on with.
      const key = { 'Idempotency-Key': `mneme-import-${attempt}` }
      const content = await contentOf(source, options)
      const headers = { ...content.headers, ...key }
      const response = await service.send('POST', PATHS[source.kind].create, { ...content, headers })
      const { id } = await bodyOf(response)
      const job = inWorkspace(`${PATHS[source.kind].jobs}/${id}`, options.workspace)
      const isOfEarlierRun = response.headers.get('idempotent-replayed') === 'true'
      if (!isOfEarlierRun) return await settled(service, job)
      if (await isUnderWay(service, job)) {
        const outcome = await settled(service, job)
        if ('created' in outcome) return outcome
      }
      // Memories of an ended job may have been changed or deleted since, so this run has a job of its own.
      attempt = randomUUID()
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error
    return { failure: messageOf(error) }
  }
}

function unfitOption({ categories, replace }: ImportOptions): string | undefined {
  if (categories !== undefined) return '--categories'
  return replace ? '--replace' : undefined
}

const DOCUMENTS = { create: '/v1/memories/ingest', jobs: '/v1/ingest-jobs' }
const PATHS = { archive: { create: '/v1/imports', jobs: '/v1/imports' }, file: DOCUMENTS, page: DOCUMENTS }

async function contentOf(source: Source, { user, categories, workspace, replace }: ImportOptions): Promise<Content> {
  const form = new FormData()
  if (workspace !== undefined) form.set('workspace_id', workspace)
  if (user !== undefined) form.set('user_id', user)
  if (source.kind !== 'archive') {
    if (categories !== undefined) form.set('categories', categories)
    if (replace) form.set('replace', 'true')
  }
  if (source.kind === 'page') {
    form.set('format', 'URL')
    form.set('source_url', source.url)
    return { body: form }
  }
  if (source.kind === 'file') form.set('document_name', source.documentName)
  return uploadOf(form, source.path, source.name)
}

/** Two runs that would do the same have the same; pages are fetched again after an hour. */
async function digestOf(source: Source, options: ImportOptions): Promise<string> {
  if (source.kind === 'page') return hashOf([options, source.url, new Date().toISOString().slice(0, 13)])
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(source.path)) hash.update(chunk)
  return hashOf([options, source.kind, source.documentName, hash.digest('hex')])
}

function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Tells whether a job of an earlier run is there and has not ended. */
async function isUnderWay(service: Service, path: string): Promise<boolean> {
  try {
    const { status } = await service.json('GET', path)
    return status === 'PENDING' || status === 'PROCESSING'
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return false
    throw error
  }
}

/** Waits until a job has ended. */
async function settled(service: Service, path: string): Promise<Outcome> {
  for (;;) {
    const job = await service.json('GET', path)
    if (job.status === 'FAILED') return { failure: String(job.error ?? 'the service does not say why') }
    if (job.status === 'COMPLETED') {
      return {
        created: Number(job.memories_created ?? 0),
        skipped: Number(job.memories_skipped ?? 0),
        expired: Number(job.memories_expired ?? 0),
        linesFailed: Number(job.lines_failed ?? 0),
        faults: [...faultsOf(job.errors), ...warningsOf(job.warnings)],
      }
    }
    await service.pause(LOOK_MS)
  }
}

const FAULTS_SHOWN = 5

function faultsOf(errors: unknown): string[] {
  const given: readonly unknown[] = Array.isArray(errors) ? errors : []
  return given.slice(0, FAULTS_SHOWN).map(error => {
    const { line, message } = Object(error)
    return `line ${line}: ${message}`
  })
}

function warningsOf(warnings: unknown): string[] {
  return Array.isArray(warnings) ? warnings.map(String) : []
}

/** Adds a file to a form, to be read while it is sent: runtimes hold a form whole in memory, some of them twice. */
async function uploadOf(fields: FormData, path: string, name: string): Promise<Content> {
  const { size } = await stat(path)
  // A runtime tells the type by the name, and the service knows a repeated request by it, too.
  const { type: fileType } = await openAsBlob(path)
  fields.set('file', new Blob([], { type: fileType }), name)
  const written = new Response(fields)
  // Bun forgets the type of a form that was read.
  const type = written.headers.get('content-type') ?? ''
  const form = Buffer.from(await written.arrayBuffer())
  // The form ends behind its empty file: a line break, and the boundary between dashes.
  const fileAt = form.lastIndexOf('\r\n--')
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield form.subarray(0, fileAt)
    if (size > 0) yield* createReadStream(path, { end: size - 1 })
    yield form.subarray(fileAt)
  }
  return {
    headers: { 'Content-Type': type, 'Content-Length': String(form.byteLength + size) },
    body: () => streamOf(parts()),
  }
}

function streamOf(parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
