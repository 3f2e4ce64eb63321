import { type Static, Type } from '@sinclair/typebox'
import { type ConfigFault, splitList } from 'mneme/plugin'
import { FORMATS, type Format } from './formats.ts'
import { createLocalReader } from './parsing/local-reader.ts'
import type { DocumentReader } from './parsing/reader.ts'
import { createUnstructuredReader } from './parsing/unstructured/unstructured-reader.ts'

/** The settings of this plugin under their environment variables. */
export const ingestConfig = Type.Object({
  UNSTRUCTURED_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s,]+$',
      errorMessage: 'must be one address that begins with http:// or https://',
      description:
        'Address of an Unstructured API that reads documents, scans too. Unset: documents are read locally alone.',
    }),
  ),
  UNSTRUCTURED_API_KEY: Type.Optional(
    Type.String({ minLength: 1, description: 'Key of the Unstructured API.', onlyWith: 'UNSTRUCTURED_URL' }),
  ),
  UNSTRUCTURED_FORMATS: Type.String({
    default: 'PDF,DOCX',
    onlyWith: 'UNSTRUCTURED_URL',
    description: `Formats that it reads, comma-separated: ${FORMATS.join(', ')}. While it is unavailable, they are read locally.`,
  }),
  UNSTRUCTURED_LANGUAGES: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(_[A-Za-z]+)*(\\s*,\\s*[A-Za-z]{2,3}(_[A-Za-z]+)*)*$',
      errorMessage: 'must be codes of languages, comma-separated, as eng,deu or jpn',
      onlyWith: 'UNSTRUCTURED_URL',
      description:
        'Languages of scans, comma-separated, as codes that the API takes (eng, deu, jpn, chi_sim). Unset: the API takes scans for English.',
    }),
  ),
})

type Settings = Static<typeof ingestConfig>

export function ingestFaults({ UNSTRUCTURED_FORMATS }: Settings): ConfigFault[] {
  const words = splitList(UNSTRUCTURED_FORMATS)
  if (formatsIn(words).length === words.length) return []
  return [{ name: 'UNSTRUCTURED_FORMATS', message: `must name formats among ${FORMATS.join(', ')}.` }]
}

function formatsIn(words: readonly string[]): Format[] {
  return words.map(word => word.toUpperCase()).filter((word): word is Format => FORMATS.some(format => format === word))
}

/** The readers, in the order in which they are asked. */
export function readersOf(config: Settings): readonly DocumentReader[] {
  const local = createLocalReader()
  const { UNSTRUCTURED_URL: url, UNSTRUCTURED_API_KEY: apiKey } = config
  const formats = formatsIn(splitList(config.UNSTRUCTURED_FORMATS))
  const languages = splitList(config.UNSTRUCTURED_LANGUAGES ?? '')
  return url ? [createUnstructuredReader({ url, apiKey, formats, languages }), local] : [local]
}
