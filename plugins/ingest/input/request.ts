import { type BodyCheck, type ErrorDetail, fail, storableFileName, type UploadedFile, unicodeForm } from 'mneme/plugin'
import { failIngest } from '../errors.ts'
import { FORMATS, type Format, fileFormat, listed } from '../formats.ts'
import type { JobFormat } from '../job.ts'
import type { IngestFields } from '../schemas.ts'
import { charsetOfType, formatOfFile, formatOfWord } from './format.ts'

const WORDS = listed([...FORMATS, 'URL'], 'or')

/** The body of a request. */
export interface IngestForm {
  readonly fields: IngestFields
  readonly files: { readonly file: UploadedFile | undefined }
}

/** Rules on a form that its schema cannot express. A word that is no format has an error of its own. */
export const ingestChecks: readonly BodyCheck<IngestForm>[] = [
  {
    fields: ['file', 'source_url', 'format', 'replace', 'document_name'],
    faults({ body: { fields, files } }) {
      const word = fields.format?.trim()
      const format = word ? formatOfWord(word) : undefined
      return word && !format
        ? []
        : faultsOf(fields, format, files.file && { fileName: storableFileName(files.file.filename) })
    },
  },
]

/** A file as far as it is known before it is read. */
export interface Upload {
  readonly size: number
  readonly fileName: string | null
  readonly contentType: string
  readonly head: Uint8Array
}

/** A request comes to this. */
export interface IngestRequest {
  readonly format: JobFormat
  /** The format of a file; a page's is known when it is there. */
  readonly contentFormat: Format | null
  /** The encoding of a file, where its sender names one. */
  readonly charset: string | null
}

/** @throws UNSUPPORTED_FORMAT for a word that is none of the formats */
function readFormat(word: string | undefined): JobFormat | undefined {
  if (word === undefined || word.trim() === '') return undefined
  const format = formatOfWord(word)
  if (!format) throw failIngest('UNSUPPORTED_FORMAT', { message: `The format must be ${WORDS}.` })
  return format
}

export async function lookAt(file: UploadedFile): Promise<Upload> {
  const { size, contentType } = file
  return { size, fileName: storableFileName(file.filename), contentType, head: await file.head() }
}

function requireSize(size: number, bytesMax: number): void {
  if (size <= bytesMax) return
  throw fail('FILE_TOO_LARGE', {
    message: `The file is larger than the ${bytesMax / 1024 / 1024} MB that its format may have.`,
  })
}

/** Reads what a form that has passed its checks asks for. */
export function readRequest(fields: IngestFields, upload: Upload | undefined): IngestRequest {
  const word = readFormat(fields.format)
  if (!upload) return { format: 'URL', contentFormat: null, charset: null }
  const format = word ?? formatOfFile(upload.fileName ?? undefined, upload.contentType, upload.head)
  if (!format || format === 'URL') {
    throw failIngest('UNSUPPORTED_FORMAT', {
      message: `The file is of no format that can be read: ${WORDS}. Save a document of another kind as PDF, and a table as CSV.`,
    })
  }
  requireSize(upload.size, fileFormat(format).bytesMax)
  return { format, contentFormat: format, charset: charsetOfType(upload.contentType) ?? null }
}

/** Browsers and runtimes send a file without a name under this one. */
const NO_NAME = 'blob'

/**
 * The name by which a newer version finds the document; undefined for a file that nobody named. It is in the composed form: a Mac writes
 * the same name of a file in another one than Linux does.
 */
export function nameOfDocument(fields: IngestFields, upload: NamedFile | undefined): string | undefined {
  const fileName = upload?.fileName === NO_NAME ? undefined : upload?.fileName
  const name = fields.document_name?.trim() ?? fields.source_url ?? fileName ?? undefined
  return name && unicodeForm(name, 'NFC')
}

/** Tells whether the name is the caller's choice: files of several folders, or of several months, share one file name. */
export function isNamedByCaller(fields: IngestFields): boolean {
  return fields.document_name !== undefined || fields.source_url !== undefined
}

type NamedFile = Pick<Upload, 'fileName'>

function faultsOf(fields: IngestFields, format: JobFormat | undefined, upload: NamedFile | undefined): ErrorDetail[] {
  const { source_url: url } = fields
  const hasFile = upload !== undefined
  if (hasFile && url !== undefined) {
    return [
      { path: 'file', message: 'must not be given together with source_url' },
      { path: 'source_url', message: 'must not be given together with file' },
    ]
  }
  if (format === 'URL' && url === undefined) return [{ path: 'source_url', message: 'is required for the format URL' }]
  if (hasFile && fields.replace && nameOfDocument(fields, upload) === undefined) {
    return [{ path: 'document_name', message: 'is required to replace a file that has no name' }]
  }
  if (hasFile) return []
  if (url === undefined) return [{ path: 'file', message: 'is required, unless source_url is given' }]
  if (format !== undefined && format !== 'URL')
    return [{ path: 'file', message: `is required for the format ${format}` }]
  const fault = urlFault(url)
  return fault ? [{ path: 'source_url', message: fault }] : []
}

/** Says what is wrong with an address as it is written; its target is looked at when it is requested. */
function urlFault(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be an absolute http or https URL'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be an absolute http or https URL'
  return username || password ? 'must hold no user name or password' : undefined
}
