import { deflateSync } from 'node:zlib'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { zipSync } from 'fflate'
import { MB } from 'mneme/plugin'
import { pdfOfLayoutForm, WORD_PARTS, wordBody } from '../../plugins/ingest/parsing/fixtures.test-support.ts'
import { lyingZip } from '../../plugins/ingest/parsing/formats/zip.test-support.ts'
import { book } from './book.ts'
import { makePdf } from './pdf.ts'
import { paragraphs } from './prose.ts'

type Make = () => Uint8Array | Promise<Uint8Array>

/** Large files by honest writers, which have to be read. */
export const HONEST: Readonly<Record<string, Make>> = {
  'a page of 5 MB.html': () => html(4.95 * MB),
  'a book of 1,000 pages.docx': wordBook,
  'a book of 1,000 pages.pdf': async () => (await makePdf(book(15_000), { header: 'The book', pagesMax: 1000 })).bytes,
}

/** Files that are made to take memory or time. Each ends, read or refused. */
export const HOSTILE: Readonly<Record<string, Make>> = {
  'stream of 100 MB.pdf': () => onePage(packed(`${WORD}${' '.repeat(100 * MB)}`)),
  'string of 100 MB.pdf': () => onePage(packed(shown('a'.repeat(100 * MB)))),
  'string of 15 MB.pdf': () => onePage(packed(shown('a'.repeat(15 * MB)))),
  'string of 19 MB, not packed.pdf': () => onePage(stream(encode(shown('a'.repeat(19 * MB))))),
  'list of 15 million numbers.pdf': () => onePage(packed(`[${'1 '.repeat(15 * MB)}] TJ ${WORD}`)),
  'object of 9 million numbers.pdf': () => onePage(stream(encode(WORD)), [encode(`[${'1 '.repeat(9 * MB)}]`)]),
  'twice packed, 500 MB.pdf': () =>
    onePage(stream(deflateSync(deflateSync(new Uint8Array(500 * MB))), '/Filter[/FlateDecode/FlateDecode]')),
  '100,000 nested levels of pages.pdf': () => nestedPages(100_000),
  'form of a million pages.pdf': () =>
    pdfOfLayoutForm(
      '<occur initial="1000000" min="1000000" max="-1"/><draw><value><text>Ghent</text></value></draw>',
      '',
    ),
  'lies about its sizes.docx': () =>
    lyingZip(zipSync({ 'word/document.xml': zeros, 'word/a.xml': zeros, 'word/b.xml': zeros, 'word/c.xml': zeros })),
  '40,000 paragraphs.docx': () => word('<w:p><w:r><w:t>ab</w:t></w:r></w:p>'.repeat(39_900)),
  '15 MB of text.docx': () => word(`<w:p><w:r><w:t>${'word '.repeat(3 * MB)}</w:t></w:r></w:p>`),
  '300,000 elements.html': () => encode(`<body>${'<b>a</b>'.repeat(290_000)}`),
  'a million entities.html': () => encode(`<body>${'&amp;'.repeat(MB - 10)}`),
  '2.5 million signs.html': () => encode(`<body>${'< '.repeat(2.4 * MB)}`),
  '700,000 links.md': () => encode('[a](b) '.repeat(700_000)),
  '1.2 million items.md': () => encode('- a\n'.repeat(1.2 * MB)),
  '600,000 values.json': () => encode(`[${'1,'.repeat(590_000)}1]`),
  '2.5 million rows.csv': () => encode(`a,b\n${'1,2\n'.repeat(2.4 * MB)}`),
  'a million columns.csv': () => encode(columns(1_000_000)),
}

const zeros = new Uint8Array(200 * MB)
const encode = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const WORD = 'BT /F1 11 Tf 60 780 Td (Ghent) Tj ET '
const shown = (text: string) => `BT /F1 11 Tf 60 780 Td (${text}) Tj ET`
const packed = (content: string) => stream(deflateSync(content, { level: 9 }), '/Filter/FlateDecode')
const word = (body: string) => zipSync({ ...WORD_PARTS, 'word/document.xml': encode(wordBody(body)) })

function stream(content: Uint8Array, entries = ''): Uint8Array {
  const head = `<</Length ${content.length}${entries}>>\nstream\n`
  return Buffer.concat([encode(head), content, encode('\nendstream')])
}

function pdf(objects: readonly (Uint8Array | string)[]): Uint8Array {
  const parts = objects.flatMap((object, n) => [
    encode(`${n + 1} 0 obj\n`),
    typeof object === 'string' ? encode(object) : object,
    encode('\nendobj\n'),
  ])
  const trailer = `trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF`
  return Buffer.concat([encode('%PDF-1.7\n'), ...parts, encode(trailer)])
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'
const pageOf = (parent: number, font: number, contents: number) =>
  `<</Type/Page/Parent ${parent} 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 ${font} 0 R>>>>/Contents ${contents} 0 R>>`

function onePage(content: Uint8Array, others: readonly Uint8Array[] = []): Uint8Array {
  return pdf([CATALOG, '<</Type/Pages/Kids[4 0 R]/Count 1>>', FONT, pageOf(2, 3, 5), content, ...others])
}

function nestedPages(levels: number): Uint8Array {
  const nodes = Array.from({ length: levels }, (_, n) => `<</Type/Pages/Kids[${n + 3} 0 R]/Count 1>>`)
  return pdf([CATALOG, ...nodes, pageOf(levels + 1, levels + 3, levels + 4), FONT, stream(encode(WORD))])
}

function html(bytes: number): Uint8Array {
  const prose = paragraphs(2000)
  const parts: string[] = []
  for (let [n, length] = [0, 0]; length < bytes; n++) {
    const text = (prose[n % prose.length] ?? '').replace(/[&<]/g, '')
    const part = n % 12 === 0 ? `<h2>Section ${n}</h2>` : `<p>${text} <a href="https://example.org/${n}">Source</a></p>`
    parts.push(part)
    length += Buffer.byteLength(part)
  }
  return new Uint8Array(Buffer.from(`<!doctype html><title>A book</title><body>${parts.join('\n')}`))
}

async function wordBook(): Promise<Uint8Array> {
  const children = paragraphs(11_000).map((text, n) =>
    n % 40 === 0
      ? new Paragraph({ text: `Chapter ${n}`, heading: HeadingLevel.HEADING_1 })
      : new Paragraph({
          children: [
            new TextRun({ text: text.slice(0, 80), bold: true, font: 'Calibri', size: 22 }),
            new TextRun({ text: text.slice(80, 420), font: 'Calibri', size: 22 }),
          ],
        }),
  )
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children }] })))
}

function columns(count: number): string {
  const row = (cell: (n: number) => unknown) => Array.from({ length: count }, (_, n) => cell(n)).join(',')
  return `${row(n => `c${n}`)}\n${row(n => n % 10)}`
}
