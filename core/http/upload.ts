import { type Static, type TObject, Type } from '@sinclair/typebox'
import { MB } from './sizes.ts'

/** A file of an upload as it arrives. Its bytes are to be read once, and before the next file is asked for. */
export interface IncomingFile extends AsyncIterable<Uint8Array> {
  /** The form's name for it. */
  readonly name: string
  /** The name that the client claims, without folders; never a path to write to. */
  readonly filename: string | undefined
  /** The type that the client claims; look at {@link head} to know. */
  readonly contentType: string
  /**
   * Returns the first bytes (4,100 by default, 64 KB at most; fewer where there are no more), which are still read
   * afterwards.
   */
  head(bytes?: number): Promise<Uint8Array>
}

/** A file that arrived whole and lies on disk (in memory up to 64 KB) until its request ends. */
export interface UploadedFile extends IncomingFile {
  /** Its size in bytes. */
  readonly size: number
  /** The SHA-256 of its bytes, in hex. */
  readonly sha256: string
  /** Reads its bytes from `start` up to, not including, `end`; it may be called again. */
  stream(range?: { start?: number; end?: number }): AsyncIterable<Uint8Array>
  /** Reads all of it into memory. Throws FILE_TOO_LARGE beyond `maxBytes`, 16 MB by default. */
  bytes(maxBytes?: number): Promise<Uint8Array>
}

/** Declares the files that a form may hold under one name. */
export interface FileRule {
  readonly description: string
  /** Bounds each file; a larger one is FILE_TOO_LARGE. */
  readonly maxBytes: number
  /** Narrows `maxBytes` by the fields that stood before the file, which are not validated yet. */
  readonly maxBytesOf?: (leading: Readonly<Record<string, unknown>>) => number
  readonly optional?: boolean
  /** More than one turns the handler's file into a list; 1. */
  readonly maxCount?: number
  /** The reference shows these types; no claim of a client is refused for them. */
  readonly contentTypes?: readonly string[]
}

export type FileRules = Readonly<Record<string, FileRule>>

export interface FormOptions<F extends TObject, R extends FileRules> {
  /** Declares text fields, typed like query parameters; an object is sent as JSON. */
  fields?: F
  files: R
  /** Bounds the whole form; by default the bounds of its files together and 1 MB. */
  maxBytes?: number
}

export interface FormDefinition<F extends TObject = TObject, R extends FileRules = FileRules> {
  readonly upload: 'form' | 'formStream'
  readonly fields: F
  readonly files: R
  readonly maxBytes: number
}

/** {@link form} as a route declares it. */
export interface WholeForm<F extends TObject = TObject, R extends FileRules = FileRules> extends FormDefinition<F, R> {
  readonly upload: 'form'
}

/** {@link formStream} as a route declares it. */
export interface StreamedForm<F extends TObject = TObject, R extends FileRules = FileRules>
  extends FormDefinition<F, R> {
  readonly upload: 'formStream'
}

export type UploadDefinition = WholeForm | StreamedForm

/**
 * Declares a `multipart/form-data` body that has arrived whole when the handler runs: fields validated wherever they
 * stand in the form, files on disk. Use it where the handler needs the fields before the files, or reads files twice.
 */
export function form<F extends TObject, R extends FileRules>(options: FormOptions<F, R>): WholeForm<F, R> {
  return { upload: 'form', ...definition(options) }
}

/**
 * Declares a `multipart/form-data` body whose files reach the handler as they arrive, held nowhere. `workspace_id` has
 * to stand before the first file, unless it names the workspace that the request works on anyway; other fields may
 * follow, and `fields()` waits for them.
 */
export function formStream<F extends TObject, R extends FileRules>(options: FormOptions<F, R>): StreamedForm<F, R> {
  return { upload: 'formStream', ...definition(options) }
}

/** The handler of a {@link form} finds this as its body. */
export interface Form<F, R extends FileRules> {
  readonly fields: F
  readonly files: { readonly [N in keyof R]: FilesUnder<R[N]> }
}

type FilesUnder<R extends FileRule> = R extends { readonly maxCount: number }
  ? readonly UploadedFile[]
  : R extends { readonly optional: true }
    ? UploadedFile | undefined
    : UploadedFile

/**
 * The handler of a {@link formStream} finds this as its body: files as they arrive, each read, or skipped, before the
 * next.
 */
export interface FormStream<F> extends AsyncIterable<IncomingFile> {
  /**
   * Returns all fields, validated. It reads the form to its end and skips the remaining files, so a handler that needs
   * them calls it after its files, and before it commits: faults in the rest of the form are thrown here.
   */
  fields(): Promise<F>
  /** The fields that stood before the first file, each of them valid. */
  readonly leading: Readonly<Partial<F>>
}

/** The handler's body, by what its route declares. */
export type UploadOf<U> =
  U extends WholeForm<infer F, infer R>
    ? Form<Static<F>, R>
    : U extends StreamedForm<infer F, FileRules>
      ? FormStream<Static<F>>
      : never

/** The fields of a form together may take so many bytes. */
export const FIELDS_MAX_BYTES = MB

/** The files of a form may have so many bytes together. */
export function bytesOfFiles(files: FileRules): number {
  return Object.values(files).reduce((sum, rule) => sum + rule.maxBytes * (rule.maxCount ?? 1), 0)
}

function definition<F extends TObject, R extends FileRules>({ fields, files, maxBytes }: FormOptions<F, R>) {
  // Without fields there are none to type, whatever the parameter says.
  return {
    fields: (fields ?? Type.Object({})) as F,
    files,
    maxBytes: maxBytes ?? bytesOfFiles(files) + FIELDS_MAX_BYTES,
  }
}

export function isUpload(body: unknown): body is UploadDefinition {
  return typeof body === 'object' && body !== null && 'upload' in body
}
