import { createHash } from 'node:crypto'
import type { TObject } from '@sinclair/typebox'
import { type AppError, type ErrorDetail, fail, validationError } from '../errors.ts'
import type { IncomingBody } from './incoming-body.ts'
import { ArrivingFile } from './incoming-file.ts'
import { boundaryOf, type Part, readParts } from './multipart.ts'
import { FIELDS_MAX_BYTES, type FormDefinition } from './upload.ts'
import { textsReader, type Validator } from './validation.ts'

/** A form may have so many parts; more are a fault, since none of them would be read into anything. */
const PARTS_MAX = 200

/** Holds a form's compiled schemas. */
export interface MountedForm {
  readonly definition: FormDefinition
  readonly fields: { readonly schema: TObject; readonly validator: Validator<unknown> }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the parts of a form in their order and keeps its fields, whatever is done with its files. */
export class FormReader {
  readonly #form: MountedForm
  readonly #body: IncomingBody
  readonly #parts: AsyncGenerator<Part>
  readonly #hashes: boolean
  readonly #read: ReturnType<typeof textsReader>
  readonly #texts = new Map<string, string[]>()
  readonly #faults: ErrorDetail[] = []
  readonly #counts = new Map<string, number>()
  readonly #identity = createHash('sha256')
  #file: ArrivingFile | undefined
  #partCount = 0
  #fieldBytes = 0
  #ended = false

  /**
   * Throws UNSUPPORTED_MEDIA_TYPE or VALIDATION_ERROR where the request announces no form.
   * @param bytes the body as it arrives
   */
  constructor(
    form: MountedForm,
    request: Request,
    body: IncomingBody,
    bytes: AsyncIterable<Uint8Array>,
    hashes: boolean,
  ) {
    this.#form = form
    this.#read = textsReader(form.fields.schema, 'field')
    this.#body = body
    this.#hashes = hashes
    this.#parts = readParts(bytes, requireBoundary(request))
  }

  /** Returns the next file, once the rest of the last one was skipped; undefined at the end of the form. */
  async nextFile(): Promise<ArrivingFile | undefined> {
    await this.#finishFile()
    while (!this.#ended) {
      const { done, value: part } = await this.#parts.next()
      if (done) {
        this.#ended = true
        return undefined
      }
      if (++this.#partCount > PARTS_MAX) throw fault('body', `must have at most ${PARTS_MAX} parts`)
      if (Object.hasOwn(this.#form.definition.files, part.name)) {
        const file = await this.#begin(part)
        if (file) return file
      } else await this.#readField(part)
    }
    return undefined
  }

  /** Lists the faults of the form as far as it was read; at its end also missing fields. */
  faults(): ErrorDetail[] {
    const read = this.#read(this.#texts, this.#ended)
    const found = [...this.#faults, ...read.faults]
    const invalid = this.#form.fields.validator
      .faults(read.value)
      .filter(({ path }) => !found.some(fault => fault.path === path))
      .filter(({ path }) => this.#ended || Object.hasOwn(read.value, path.split('.')[0] ?? ''))
    const missing = Object.entries(this.#form.definition.files)
      .filter(([name, rule]) => this.#ended && !rule.optional && !this.#counts.has(name))
      .map(([path]) => ({ path, message: 'is required' }))
    return [...found, ...invalid, ...missing]
  }

  /** Returns the fields read so far, typed; with their defaults once all are read. */
  fields(): Record<string, unknown> {
    return this.#read(this.#texts, this.#ended).value
  }

  /** Returns the SHA-256 of the form's content in hex, whatever boundary it uses; undefined before its end was read. */
  get digest(): string | undefined {
    return this.#ended ? this.#identity.copy().digest('hex') : undefined
  }

  /** Reads the form to its end and skips the files left. */
  async finish(): Promise<void> {
    while (await this.nextFile());
  }

  async #finishFile(): Promise<void> {
    const file = this.#file
    if (!file) return
    const identity = await file.rest()
    this.#file = undefined
    if (identity) this.#note([file.name, file.filename ?? null, file.contentType, identity.size, identity.sha256])
  }

  /** Returns a file of the form, or undefined where a browser's user chose none, or the part is a text. */
  async #begin(part: Part): Promise<ArrivingFile | undefined> {
    const rule = this.#form.definition.files[part.name]
    if (!rule) return undefined
    if (part.isText) {
      this.#counts.set(part.name, 1)
      this.#refuse(part.name, 'must be a file, not a field')
      return undefined
    }
    const maxBytes = Math.min(rule.maxBytes, rule.maxBytesOf?.(this.fields()) ?? rule.maxBytes)
    const file = new ArrivingFile(part, { maxBytes, tooLarge: 'FILE_TOO_LARGE' }, this.#hashes)
    if (part.filename === '' && (await file.head(1)).length === 0) return undefined
    const count = (this.#counts.get(part.name) ?? 0) + 1
    this.#counts.set(part.name, count)
    const { maxCount = 1 } = rule
    if (count > maxCount) {
      throw fault(part.name, maxCount === 1 ? 'must be given once' : `must be given at most ${maxCount} times`)
    }
    this.#file = file
    return file
  }

  async #readField({ name, filename, content }: Part): Promise<void> {
    if (filename !== undefined) {
      const isField = Object.hasOwn(this.#form.fields.schema.properties, name)
      return this.#refuse(name, isField ? 'must be a field, not a file' : 'is not a known file')
    }
    const chunks: Uint8Array[] = []
    this.#fieldBytes += Buffer.byteLength(name)
    for await (const chunk of content) {
      this.#fieldBytes += chunk.length
      if (this.#fieldBytes > FIELDS_MAX_BYTES)
        throw fail('PAYLOAD_TOO_LARGE', { message: 'The fields of the form are together larger than 1 MB.' })
      this.#body.reserve(chunk.length)
      chunks.push(chunk)
    }
    const text = textOf(Buffer.concat(chunks))
    this.#note([name, text ?? null])
    if (text === undefined) this.#refuse(name, 'must be UTF-8')
    else this.#texts.set(name, [...(this.#texts.get(name) ?? []), text])
  }

  #refuse(path: string, message: string): void {
    if (!this.#faults.some(fault => fault.path === path)) this.#faults.push({ path, message })
  }

  #note(part: readonly (string | number | null)[]): void {
    if (this.#hashes) this.#identity.update(`${JSON.stringify(part)}\n`)
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

function requireBoundary({ headers }: Request): string {
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type))
    throw fail('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body as multipart/form-data.' })
  const boundary = boundaryOf(type)
  if (boundary === undefined) throw fault('body', 'must name its boundary in Content-Type')
  return boundary
}

function fault(path: string, message: string): AppError {
  return validationError([{ path, message }])
}
