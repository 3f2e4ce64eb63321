import { type ErrorDetail, validationError } from '../errors.ts'
import { requireNoEncoding } from './body.ts'
import { FormReader, type MountedForm } from './form.ts'
import type { BodyWorld, IncomingBody } from './incoming-body.ts'
import type { ArrivingFile } from './incoming-file.ts'
import { type SpooledFile, spool } from './spool.ts'
import type { Transfers } from './transfers.ts'
import { bytesOfFiles, type FormStream, type IncomingFile } from './upload.ts'

/** Computes the SHA-256 of a body, in hex, for a request with an Idempotency-Key. */
export interface BodyDigest {
  /** Undefined as long as the body was not read whole. */
  known(): string | undefined
  /** Reads the rest first, skipping it. Throws what reading throws. */
  compute(): Promise<string>
}

/** An upload as its handler finds it. */
export interface UploadBody {
  readonly value: unknown
  /** These fields select a workspace. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly faults: readonly ErrorDetail[]
  readonly digest: BodyDigest
  /** Learns which workspace the request works on, before the handler reads the rest of a streamed form. */
  selected?(workspaceId: string): void
  /** It reaches its handler as it arrives. */
  readonly isStreamed: boolean
  /** Frees the memory and disk that its files take. */
  close?(): Promise<void>
}

/** Opens an upload. @param hashes whether a repetition has to be told from another request by its content */
export async function readUpload(
  upload: MountedForm,
  request: Request,
  body: IncomingBody,
  { transfers }: BodyWorld,
  hashes: boolean,
): Promise<UploadBody> {
  requireNoEncoding(request.headers)
  const { definition } = upload
  // The fields have a bound of their own, so that a form beyond this one has files that are too large.
  const namedBytes = Math.min(definition.maxBytes, bytesOfFiles(definition.files))
  const limit = { maxBytes: definition.maxBytes, namedBytes, tooLarge: 'FILE_TOO_LARGE' } as const
  if (definition.upload === 'form')
    return readForm(new FormReader(upload, request, body, body.form(limit), true), upload, transfers, body.holder())
  return openFormStream(new FormReader(upload, request, body, body.chunks(limit), hashes))
}

/** Reads a form whole. Files of a refused form are not stored. */
async function readForm(
  reader: FormReader,
  { definition }: MountedForm,
  transfers: Transfers,
  holder: string,
): Promise<UploadBody> {
  const files: SpooledFile[] = []
  const close = async () => {
    for (const file of files) await file.close()
  }
  try {
    for (let file = await reader.nextFile(); file; file = await reader.nextFile()) {
      if (reader.faults().length === 0) files.push(await spool(file, transfers, holder))
    }
  } catch (error) {
    await close()
    throw error
  }
  const fields = reader.fields()
  const byName = Object.entries(definition.files).map(([name, { maxCount }]) => {
    const own = files.filter(file => file.name === name)
    return [name, maxCount === undefined ? own[0] : own] as const
  })
  const value = { fields, files: Object.fromEntries(byName) }
  return { value, fields, faults: reader.faults(), digest: digestOf(reader), isStreamed: false, close }
}

/** Reads the fields before the first file of a form. */
async function openFormStream(reader: FormReader): Promise<UploadBody> {
  const first = await reader.nextFile()
  const fields = reader.fields()
  const value = new StreamedFormBody(reader, first, fields)
  const selected = (workspaceId: string) => value.selected(workspaceId)
  return { value, fields, faults: reader.faults(), digest: digestOf(reader), isStreamed: true, selected }
}

const LATE_WORKSPACE =
  'must stand before the file: fields that follow it come too late to select another workspace than the one that has the file by then'

class StreamedFormBody implements FormStream<Record<string, unknown>> {
  readonly leading: Readonly<Record<string, unknown>>
  readonly #reader: FormReader
  #first: ArrivingFile | undefined
  #workspaceId: string | undefined

  constructor(reader: FormReader, first: ArrivingFile | undefined, leading: Record<string, unknown>) {
    this.#reader = reader
    this.#first = first
    this.leading = leading
  }

  selected(workspaceId: string): void {
    this.#workspaceId = workspaceId
  }

  async *[Symbol.asyncIterator](): AsyncIterator<IncomingFile> {
    const first = this.#first
    this.#first = undefined
    if (first) yield first
    for (let file = await this.#reader.nextFile(); file; file = await this.#reader.nextFile()) yield file
  }

  async fields(): Promise<Record<string, unknown>> {
    this.#first = undefined
    await this.#reader.finish()
    const fields = this.#reader.fields()
    const faults = this.#reader.faults()
    const isFaulty = faults.some(({ path }) => path === 'workspace_id')
    if (!isFaulty && this.#namesOther(fields)) faults.push({ path: 'workspace_id', message: LATE_WORKSPACE })
    if (faults.length > 0) throw validationError(faults)
    return fields
  }

  /** By now the files have gone to the workspace that was selected before them. */
  #namesOther({ workspace_id: named }: Readonly<Record<string, unknown>>): boolean {
    if (typeof named !== 'string' || 'workspace_id' in this.leading) return false
    return named.toLowerCase() !== this.#workspaceId
  }
}

function digestOf(reader: FormReader): BodyDigest {
  return {
    known: () => reader.digest,
    async compute() {
      await reader.finish()
      return reader.digest ?? ''
    },
  }
}
