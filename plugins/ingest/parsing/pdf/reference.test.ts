import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textOf } from '../fixtures.test-support.ts'
import { ORDERS, PAGES, pdfOf } from './drawn.test-support.ts'

// The program of poppler is the reference; `test/needs.json` leaves this file out where it is not there.
test('a PDF has its words in the order in which pdftotext has them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawn-'))
  try {
    for (const [what, words] of Object.entries(PAGES)) {
      const bytes = await pdfOf(ORDERS['with one word last']?.(words.toReversed()) ?? [])
      const file = join(folder, 'page.pdf')
      writeFileSync(file, bytes)
      const layout = what === 'two columns of prose' ? [] : ['-layout']
      const { stdout, error } = spawnSync('pdftotext', [...layout, file, '-'], { encoding: 'utf8' })
      if (error) throw error
      const wordsOf = (text: string) => text.replaceAll(';', ' ').match(/\S+/g)
      expect([what, wordsOf(await textOf('PDF', bytes))]).toEqual([what, wordsOf(stdout)])
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
