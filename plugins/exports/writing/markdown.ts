import { MEMORIES } from '../job.ts'
import type { ExportWriter } from './format.ts'

/**
 * For reading: each memory and compiled document as a quotation under its time and user, so that their headings, lists and fences are theirs,
 * and other records as JSON. Raw HTML of theirs is text.
 */
export function markdownWriter(): ExportWriter {
  return {
    contentType: 'text/markdown; charset=utf-8',
    extension: 'md',
    begin({ workspace, exported_at, include }) {
      const title = `# ${oneLine(workspace.name)}\n\nExported ${exported_at}.\n`
      return include.includes(MEMORIES) ? `${title}\n## Memories\n` : title
    },
    memory(memory) {
      if (memory.consolidated_into !== null) return ''
      const { created_at, user_id, priority, categories, metadata, id } = memory
      const notes = [priority, ...categories.map(oneLine), ...(metadata ? [codeOf(metadata)] : []), id]
      return `\n### ${created_at}, ${oneLine(user_id)}\n\n${quoted(memory.memory)}\n\n<small>${notes.join(' · ')}</small>\n`
    },
    beginSection: name => `\n## ${name[0]?.toUpperCase() ?? ''}${name.slice(1)}\n`,
    record: ({ type, ...record }) =>
      typeof record.content === 'string'
        ? `\n### ${oneLine(String(record.category ?? type))}, ${oneLine(String(record.user_id ?? ''))}\n\n${quoted(record.content, TAG_BUT_COMMENT)}\n`
        : `\n- ${oneLine(type)} ${codeOf(record)}\n`,
    endSection: () => '',
    end: () => '',
  }
}

/** In one line with others, a backtick would make a code span with one of theirs. */
function oneLine(text: string): string {
  return withoutTags(text.replaceAll(/\s+/g, ' ').trim(), TAG).replaceAll('`', '&#96;')
}

function quoted(text: string, tag = TAG): string {
  const lines = text.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/)
  return readAsText(lines, tag)
    .map(line => (line.trim() ? `> ${line}` : '>'))
    .join('\n')
}

/** It finds what may begin raw HTML, with backslashes before it; an address in angle brackets is a link. */
const TAG = /(?<!\\)(\\*)<(?!https?:\/\/[^\s<>`]*>)/g
/** Knowledge names its sources in comments, which end on their line. */
const TAG_BUT_COMMENT = /(?<!\\)(\\*)<(?!https?:\/\/[^\s<>`]*>|!--[^<>`]*-->)/g

/** A backslash before it goes, as some readers take that for the end of an address. */
function withoutTags(text: string, tag: RegExp): string {
  return text.replaceAll(tag, (_, slashes: string) => `${slashes.slice(slashes.length % 2)}&lt;`)
}

/**
 * Leaves lines the Markdown that they are, in which raw HTML is text. Code shows what stands in it, so it stays as it is where every
 * reader takes it for code; elsewhere a sign too many is escaped rather than one too few.
 */
function readAsText(lines: readonly string[], tag: RegExp): string[] {
  const isCode = codeLines(lines)
  const read: string[] = []
  let paragraph: string[] = []
  for (const [n, line] of [...lines, ''].entries()) {
    if (!isCode[n] && line.trim() !== '') {
      paragraph.push(line)
      continue
    }
    const spans = paragraph.map(spansOf)
    // A span may go on in the next line, and then others than these are code.
    const arePaired = spans.every(found => found !== undefined)
    for (const [m, text] of paragraph.entries()) {
      const parts = (arePaired && spans[m]) || [text]
      read.push(parts.map((part, k) => (k % 2 === 1 ? part : withoutTags(part, tag))).join(''))
    }
    paragraph = []
    if (n < lines.length) read.push(line)
  }
  return read
}

/** Begins a list, a quotation or a footnote, in which code is indented. */
const CONTAINER = /^\s*(?:>|(?:[-*+]|\d{1,9}[.)])(?:\s|$)|\[\^)/

/** The address of a reference may stand in the next line. */
const OPEN_REFERENCE = /\]:\s*$/

/** Tells which lines are in a fence or an indented block of code (CommonMark 0.31, 4.4 and 4.5). */
function codeLines(lines: readonly string[]): boolean[] {
  let fence: string | undefined
  let isPlain = true
  let isText = false
  let isClear = true
  return lines.map(line => {
    const [, indent = '', marks] = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})?/.exec(line) ?? []
    // Readers differ on how far a tab indents and where a reference ends, and so on whether a fence opens or ends here.
    isClear &&= (marks === undefined || !indent.includes('\t')) && !OPEN_REFERENCE.test(line)
    if (!isClear) return false
    if (fence !== undefined) {
      const closing = line.replaceAll(/^ +|[ \t]+$/g, '')
      const isClosing = closing.length >= fence.length && closing === fence.charAt(0).repeat(closing.length)
      if (isClosing && indent.length < 4) fence = undefined
      return true
    }
    if (marks !== undefined && indent.length < (isPlain ? 4 : 1)) {
      fence = marks
      isText = false
      return true
    }
    if (isPlain && !isText && line.startsWith('    ') && line.trim() !== '') return true
    isText = line.trim() !== ''
    isPlain &&= !CONTAINER.test(line)
    return false
  })
}

/** Backticks that may be escaped, or the end of an address, and then are none. */
const ODD_BACKTICK = /\\`|(?:https?:\/\/|www\.)[^\s`]*`/i

/**
 * Splits a line at its code spans: every second part is one. Undefined where a run of backticks has no other of its length, or is none.
 * Cells of a table end at a bar, also within a span, so one with a bar is none.
 */
function spansOf(line: string): string[] | undefined {
  if (ODD_BACKTICK.test(line)) return undefined
  const runs = [...line.matchAll(/`+/g)]
  const parts: string[] = []
  let from = 0
  for (let n = 0; n < runs.length; n++) {
    const opening = runs[n]
    do n++
    while (n < runs.length && runs[n]?.[0] !== opening?.[0])
    const closing = runs[n]
    if (!opening || !closing) return undefined
    const until = closing.index + closing[0].length
    const span = line.slice(opening.index, until)
    if (span.includes('|')) continue
    parts.push(line.slice(from, opening.index), span)
    from = until
  }
  return [...parts, line.slice(from)]
}

/** Backticks within go on to the next run of as many (CommonMark 0.31, 6.1), so the ones around are more. */
function codeOf(value: unknown): string {
  const json = JSON.stringify(value)
  const longest = Math.max(0, ...(json.match(/`+/g) ?? []).map(run => run.length))
  const marks = '`'.repeat(longest + 1)
  return longest > 0 ? `${marks} ${json} ${marks}` : `${marks}${json}${marks}`
}
