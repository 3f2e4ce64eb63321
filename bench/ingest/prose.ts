import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paragraphs of real English prose, from the documents that installed packages ship, in an order that stays the same. */
export function paragraphs(wanted: number): string[] {
  const found: string[] = []
  const seen = new Set<string>()
  for (const path of markdownFiles(new URL('../../node_modules/', import.meta.url).pathname)) {
    if (found.length >= wanted) break
    for (const part of readFileSync(path, 'utf8').split(/\n\s*\n/)) {
      const text = part
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[`*_#>|]/g, '')
        .replace(/\s+/g, ' ')
        .trim()
      if (text.length < 150 || !/^[A-Z][^<{}=]*[.!?]$/.test(text) || /https?:/.test(text) || seen.has(text)) continue
      seen.add(text)
      found.push(text)
    }
  }
  // The text of the packages is repeated where more is wanted, under a number, so that no two paragraphs are one.
  for (let n = 0; found.length < wanted && found.length > 0; n++) found.push(`${n + 1}. ${found[n % seen.size]}`)
  return found.slice(0, wanted)
}

function* markdownFiles(folder: string): Generator<string> {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.isDirectory()) yield* markdownFiles(join(folder, entry.name))
    else if (/\.(md|txt)$/i.test(entry.name)) yield join(folder, entry.name)
  }
}
