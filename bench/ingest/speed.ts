import { Buffer } from 'node:buffer'
import type { Format } from '../../plugins/ingest/formats.ts'
import { createLocalReader } from '../../plugins/ingest/parsing/local-reader.ts'
import { book } from './book.ts'
import { makePdf } from './pdf.ts'

/** Measures how long large documents take from bytes to chunks, and what memory they need: `bun bench/ingest/speed.ts`. */
const MB = 1024 * 1024

await measure(
  'PDF of 2,000 pages of prose',
  'PDF',
  (await makePdf(book(30_000), { header: 'The book', pagesMax: 2000 })).bytes,
)
await measure('PDF of 20 MB, compressed', 'PDF', await largePdf())
await measure('CSV of 100,000 rows', 'CSV', csv(100_000))

async function measure(title: string, format: Format, bytes: Uint8Array): Promise<void> {
  const size = bytes.byteLength
  let chunks = 0
  let characters = 0
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  const begunAt = performance.now()
  const { pages } = await createLocalReader().read(
    { bytes, format, name: title },
    async part => {
      chunks += part.length
      for (const { text } of part) characters += text.length
    },
    new AbortController().signal,
  )
  const seconds = (performance.now() - begunAt) / 1000
  clearInterval(watch)
  console.log(
    `${title} (${(size / MB).toFixed(1)} MB${pages ? `, ${pages} pages` : ''}): ${seconds.toFixed(1)} s to ${chunks} chunks of ${characters} characters, ${Math.round((most - before) / MB)} MB more memory`,
  )
}

async function largePdf(): Promise<Uint8Array> {
  const { bytes, pages } = await makePdf(book(2000), {})
  const pagesMax = Math.floor((19.5 * MB * pages) / bytes.byteLength)
  return (await makePdf(book(Math.ceil((2000 / pages) * pagesMax) + 1000), { pagesMax })).bytes
}

function csv(rows: number): Uint8Array {
  const lines = ['id,title,text,state']
  for (let n = 0; n < rows; n++) {
    lines.push(
      `${n},"Ticket ${n}","The printer on floor ${n % 20} does not ""work"" since Monday, says ${n % 97}",open`,
    )
  }
  return Buffer.from(lines.join('\n'))
}
