/**
 * Builds the family `documents`: manuals that the installed packages ship, in the chunks that an import makes of them, with questions
 * that one chunk answers.
 *   bun bench/retrieval/documents.ts FOLDER [CHARACTERS]
 *   bun bench/retrieval/run.ts --data FOLDER
 * CHARACTERS joins the chunks of a document to texts of up to that length, as long memories.
 * Each file of bench/retrieval/documents is a shelf: several documents of one user, and its questions. A question names its evidence
 * by words of the document, so that it stays right when documents are cut otherwise. The texts keep their packages' licences and
 * are not copied into the repository; the lock file holds their versions.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { marked } from 'marked'
import type { Block, Chunk } from '../../plugins/ingest/document/document.ts'
import type { Format } from '../../plugins/ingest/formats.ts'
import { PARSING_LIMITS } from '../../plugins/ingest/parsing/limits.ts'
import { createLocalReader } from '../../plugins/ingest/parsing/local-reader.ts'
import { readDocument } from '../../plugins/ingest/parsing/read-document.ts'
import { makePdf, type PdfPart } from '../ingest/pdf.ts'
import type { Conversation } from './corpus.ts'

interface Shelf {
  /** Paths of Markdown files below node_modules, and the format that each is imported in. */
  readonly documents: readonly { readonly path: string; readonly format: Format }[]
  readonly questions: readonly {
    readonly question: string
    readonly category: string
    /** Words that stand in the answering chunk and in no other; one quotation for each chunk that is needed. */
    readonly quotes: readonly string[]
  }[]
}

const [target, joinedMax = '0'] = process.argv.slice(2)
if (!target) throw new Error('name the folder to write to: bun bench/retrieval/documents.ts FOLDER')
const shelves = new URL('./documents/', import.meta.url)
await mkdir(target, { recursive: true })
for (const file of (await readdir(shelves)).sort()) {
  const shelf: Shelf = JSON.parse(await readFile(new URL(file, shelves), 'utf8'))
  const built = await build(basename(file, '.json'), shelf)
  await writeFile(join(target, file), JSON.stringify(built))
  console.log(`${built.name}: ${built.turns.length} chunks, ${built.questions.length} questions`)
}

async function build(name: string, { documents, questions }: Shelf): Promise<Conversation> {
  const turns: { id: string; session: string; text: string }[] = []
  for (const { path, format } of documents) {
    const chunks = await chunksOf(path, format)
    const texts = joined(
      chunks.map(({ text }) => text),
      Number(joinedMax),
    )
    for (const [n, text] of texts.entries()) turns.push({ id: `${path}#${n + 1}`, session: path, text })
  }
  const searched = turns.map(({ id, text }) => ({ id, letters: lettersOf(text) }))
  const evidenceOf = (quote: string): string => {
    const found = searched.filter(({ letters }) => letters.includes(lettersOf(quote)))
    if (!found[0] || found[1]) throw new Error(`${name}: ${found.length} chunks hold "${quote}", and it should be one`)
    return found[0].id
  }
  return {
    name,
    turns,
    questions: questions.map(({ question, category, quotes }) => ({
      question,
      category,
      evidence: [...new Set(quotes.map(evidenceOf))],
    })),
  }
}

async function chunksOf(path: string, format: Format): Promise<Chunk[]> {
  const markdown = await readFile(new URL(`../../node_modules/${path}`, import.meta.url))
  const chunks: Chunk[] = []
  await createLocalReader().read(
    { bytes: await converted(markdown, format), format, name: path },
    async part => void chunks.push(...part),
    new AbortController().signal,
  )
  return chunks
}

async function converted(markdown: Uint8Array, format: Format): Promise<Uint8Array> {
  if (format === 'MARKDOWN') return markdown
  if (format === 'HTML') return new TextEncoder().encode(await marked.parse(new TextDecoder().decode(markdown)))
  if (format !== 'PDF') throw new Error(`a document in ${format} is not provided for`)
  const { blocks } = await readDocument({ bytes: markdown, format: 'MARKDOWN', name: '' }, PARSING_LIMITS)
  const parts: PdfPart[] = []
  for await (const block of blocks) parts.push(...partsOf(block))
  return (await makePdf(parts, { unicode: true })).bytes
}

function partsOf(block: Block): PdfPart[] {
  switch (block.kind) {
    case 'row':
      return [{ kind: 'row', cells: block.cells }]
    case 'record':
      return []
    case 'code':
      return block.text.split('\n').map(text => ({ kind: 'paragraph', text }))
    default:
      return [{ kind: block.kind, text: block.text }]
  }
}

/** Line ends, hyphens and marks differ between the formats of one document; its letters do not. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Joins neighbouring texts while they are no longer than `charactersMax` together. */
function joined(texts: readonly string[], charactersMax: number): string[] {
  const all: string[] = []
  for (const text of texts) {
    const last = all.at(-1)
    if (last !== undefined && last.length + text.length < charactersMax) all[all.length - 1] = `${last}\n\n${text}`
    else all.push(text)
  }
  return all
}
