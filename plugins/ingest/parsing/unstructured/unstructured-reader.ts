import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ReadingError } from '../../document/document.ts'
import { type Format, fileFormat, type SourceDocument } from '../../formats.ts'
import { PARSING_LIMITS } from '../limits.ts'
import { inThread } from '../local-reader.ts'
import type { DocumentReader } from '../reader.ts'
import type { UnstructuredElement } from './elements.ts'

export interface UnstructuredOptions {
  readonly url: string
  readonly apiKey: string | undefined
  /** Those that it is asked for; others are read locally. */
  readonly formats: readonly Format[]
  /** Those of scans; none for what the API takes them for. */
  readonly languages: readonly string[]
}

const TIMEOUT_MS = 120_000

/** Lists the fields that are read of a response, which has more. */
const elements = Type.Array(
  Type.Object({
    type: Type.String(),
    text: Type.String(),
    metadata: Type.Optional(
      Type.Object({
        page_number: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        category_depth: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
        text_as_html: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
  }),
)

/**
 * Reads documents by the Unstructured API, which also recognises the text of scans. What it does not answer, or answers with an
 * error, is READER_UNAVAILABLE, so that the local reader stands in.
 */
export function createUnstructuredReader(options: UnstructuredOptions): DocumentReader {
  return {
    id: 'unstructured',
    formats: options.formats,
    async read(document, sink, signal) {
      if (document.bytes.byteLength === 0) throw new ReadingError('EMPTY_FILE', 'The file is empty.')
      const found = await partition(options, document, signal)
      // Making chunks of many elements takes a while too, and a table of theirs is parsed as HTML.
      return inThread({ elements: found, limits: PARSING_LIMITS, secrets: document.secrets }, sink, signal)
    },
  }
}

async function partition(
  { url, apiKey, languages }: UnstructuredOptions,
  { bytes, format }: SourceDocument,
  signal: AbortSignal,
): Promise<readonly UnstructuredElement[]> {
  // Most never use the API, and its client takes a tenth of a second to load.
  const [{ UnstructuredClient }, { Strategy }] = await Promise.all([
    import('unstructured-client'),
    import('unstructured-client/sdk/models/shared'),
  ])
  const client = new UnstructuredClient({
    serverURL: url,
    ...(apiKey ? { security: { apiKeyAuth: apiKey } } : {}),
    retryConfig: { strategy: 'none' },
  })
  try {
    const response = await client.general.partition(
      {
        partitionParameters: {
          // The API knows by the extension what it gets.
          files: { content: bytes, fileName: `document.${fileFormat(format).extensions[0]}` },
          strategy: Strategy.Auto,
          splitPdfPage: false,
          // The client writes a list as `deu,jpn`, which some versions of the API take for one language; all divide it at Tesseract's sign.
          ...(languages.length > 0 ? { languages: [languages.join('+')] } : {}),
        },
      },
      { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) },
    )
    if (!Value.Check(elements, response)) throw new Error('the API answered with something else than elements')
    return response
  } catch (error) {
    signal.throwIfAborted()
    throw new ReadingError('READER_UNAVAILABLE', 'The Unstructured API could not read the document.', { cause: error })
  }
}
