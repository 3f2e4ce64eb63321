import { ar, base, de, el, en, Faker, fr, he, ja, type LocaleDefinition, ru } from '@faker-js/faker'
import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx'
import { makePdf, type PdfPart } from './pdf.ts'

type Part =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly text: string }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** Formats in which documents are made; the others are judged on files of others. */
export const GENERATED = ['PDF', 'DOCX', 'CSV', 'MARKDOWN', 'JSON', 'TEXT', 'HTML'] as const
export type Generatable = (typeof GENERATED)[number]

/** A document with what it says, in order. */
export interface Generated {
  readonly bytes: Uint8Array
  readonly words: readonly string[]
}

/** The font of the PDFs has the letters of these. */
const IN_FONT: readonly LocaleDefinition[] = [en, de, fr, ru, el, he, ar]
const ALL: readonly LocaleDefinition[] = [...IN_FONT, ja]

/** The `n`th document of a format: the same each time. */
export async function generate(format: Generatable, n: number): Promise<Generated> {
  const locales = format === 'PDF' ? IN_FONT : ALL
  const faker = new Faker({ locale: [locales[n % locales.length] ?? en, en, base], seed: 1000 + n })
  const parts = partsOf(faker, format)
  const bytes = await RENDER[format](parts, n)
  return { bytes, words: wordsOf(parts.flatMap(textsOf).join(' ')) }
}

export function wordsOf(text: string): string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function partsOf(faker: Faker, format: Generatable): Part[] {
  const sentence = () => faker.lorem.sentence({ min: 6, max: 18 })
  const paragraph = () => Array.from({ length: faker.number.int({ min: 1, max: 6 }) }, sentence).join(' ')
  const table = (): Part => ({
    kind: 'table',
    columns: ['Person', 'Town', 'Note'],
    rows: Array.from({ length: 6 }, () => [
      faker.person.firstName(),
      faker.location.city(),
      `${faker.lorem.words(3)} ${faker.number.int(9999)}`,
    ]),
  })
  if (format === 'CSV' || format === 'JSON') return [table(), table(), table()]
  const parts: Part[] = []
  for (let section = 0; section < 5; section++) {
    parts.push({ kind: 'heading', level: section === 0 ? 1 : 2, text: `${faker.lorem.words(3)} ${section + 1}` })
    for (let n = 0; n < 3; n++) parts.push({ kind: 'paragraph', text: paragraph() })
    for (let n = 0; n < 3; n++) parts.push({ kind: 'item', text: sentence() })
    if (section % 2) parts.push(table())
  }
  return parts
}

function textsOf(part: Part): string[] {
  if (part.kind !== 'table') return [part.text]
  return part.rows.flatMap(row => row.map(cell => cell))
}

const encode = (text: string) => new TextEncoder().encode(text)
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const RENDER: Readonly<Record<Generatable, (parts: readonly Part[], n: number) => Uint8Array | Promise<Uint8Array>>> = {
  TEXT: parts => encode(parts.map(toText).join('\n\n')),
  MARKDOWN: parts => encode(parts.map(toMarkdown).join('\n\n')),
  HTML: parts =>
    encode(
      `<!doctype html><html><head><meta charset="utf-8"><style>p{}</style></head><body>${parts.map(toHtml).join('\n')}</body></html>`,
    ),
  DOCX: toDocx,
  CSV: parts =>
    encode(
      parts
        .flatMap((part, n) => (part.kind === 'table' ? [...(n === 0 ? [part.columns] : []), ...part.rows] : []))
        .map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(','))
        .join('\r\n'),
    ),
  JSON: parts =>
    encode(
      JSON.stringify(
        parts.flatMap(part =>
          part.kind === 'table'
            ? part.rows.map(row => ({ person: row[0], place: { town: row[1] }, notes: [row[2]] }))
            : [],
        ),
      ),
    ),
  PDF: toPdf,
}

function toText(part: Part): string {
  if (part.kind === 'table') return part.rows.map(row => row.join('\t')).join('\n')
  return part.kind === 'item' ? `- ${part.text}` : part.text
}

function toMarkdown(part: Part): string {
  if (part.kind === 'heading') return `${'#'.repeat(part.level)} ${part.text}`
  if (part.kind === 'table') {
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    return [row(part.columns), row(part.columns.map(() => '---')), ...part.rows.map(row)].join('\n')
  }
  return part.kind === 'item' ? `- ${part.text}` : part.text
}

function toHtml(part: Part): string {
  if (part.kind === 'heading') return `<h${part.level}>${escaped(part.text)}</h${part.level}>`
  if (part.kind === 'item') return `<ul><li>${escaped(part.text)}</li></ul>`
  if (part.kind === 'paragraph')
    return `<p>${escaped(part.text)
      .replace(' ', ' <b>')
      .replace(/ (\S+)$/, '</b> $1')}</p>`
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<table><thead>${row(part.columns, 'th')}</thead>${part.rows.map(cells => row(cells, 'td')).join('')}</table>`
}

async function toDocx(parts: readonly Part[]): Promise<Uint8Array> {
  const children = parts.map(part => {
    if (part.kind === 'table') {
      const rows = [part.columns, ...part.rows]
      return new Table({
        rows: rows.map(
          row => new TableRow({ children: row.map(cell => new TableCell({ children: [new Paragraph(cell)] })) }),
        ),
      })
    }
    if (part.kind === 'heading')
      return new Paragraph({
        text: part.text,
        heading: part.level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
      })
    return new Paragraph({ text: part.text, ...(part.kind === 'item' ? { bullet: { level: 0 } } : {}) })
  })
  const noted = new Paragraph({ children: [new TextRun('1'), new FootnoteReferenceRun(1)] })
  const document = new Document({
    sections: [{ children: [...children, noted] }],
    footnotes: { 1: { children: [new Paragraph('A note at the foot of the page.')] } },
  })
  return Packer.toBuffer(document)
}

async function toPdf(parts: readonly Part[], n: number): Promise<Uint8Array> {
  const set = parts.flatMap((part): PdfPart[] =>
    part.kind === 'table' ? part.rows.map(cells => ({ kind: 'row', cells })) : [{ kind: part.kind, text: part.text }],
  )
  const { bytes } = await makePdf(set, {
    columns: n % 3 === 2 ? 2 : 1,
    header: 'A running header',
    unicode: true,
    byWord: n % 2 === 0,
  })
  return bytes
}
