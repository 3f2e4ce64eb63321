import type { Line } from './document.ts'

/** Characters that Markdown could interpret as markup. */
const SPECIAL = /[\\`*[\]~|]/g
const LEADING = /^([#+\-=>]|\d+[.)])/

/**
 * Text that is shown as it is: no markup, no links, no HTML. Angle brackets become entities, so that not even a reader who
 * looks for comments with a pattern finds one inside of a statement.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(SPECIAL, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(LEADING, leading => (leading.length > 1 ? leading.replace(/[.)]$/, '\\$&') : `\\${leading}`))
}

/** `tech_stack` as a reader likes it: `Tech stack`. */
export function titleOf(category: string): string {
  const words = category.replace(/[_\s]+/gu, ' ').trim()
  const first = String.fromCodePoint(words.codePointAt(0) ?? 32)
  return `# ${escapeMarkdown(first.toUpperCase() + words.slice(first.length))}`
}

export function headingOf(heading: string): string {
  return `## ${escapeMarkdown(heading)}`
}

/** A line with the comment that names its memories. */
export function lineOf({ text, sources }: Line, style: 'list' | 'prose'): string {
  const ids = [...new Set(sources.map(({ memory }) => memory))]
  return `${style === 'list' ? '- ' : ''}${escapeMarkdown(text)} <!-- memories: ${ids.join(', ')} -->`
}

export function moreOf(more: number, andOthers: boolean): string {
  const count = andOthers ? `More than ${more} further` : `${more} more`
  return `*${count} ${more === 1 && !andOthers ? 'statement is' : 'statements are'} not shown.*`
}

/** Tells whether a line is one that {@link moreOf} writes. */
export function isMore(line: string): boolean {
  const count = /\d+/.exec(line)?.[0]
  return count !== undefined && [false, true].some(andOthers => line.trim() === moreOf(Number(count), andOthers))
}

const SOURCE_COMMENT = /<!--\s*memories:([0-9a-f\s,-]*)-->/gi

/** The memories that comments of a text name. */
export function namedIn(markdown: string): string[] {
  return [...markdown.matchAll(SOURCE_COMMENT)].flatMap(([, list = '']) => idsIn(list))
}

/**
 * A line of an editor's without the memories that are gone: undefined when a comment named only such, so that what the line
 * says goes with them.
 */
export function withoutMemories(line: string, gone: ReadonlySet<string>): string | undefined {
  let isLeft = true
  const kept = line.replace(SOURCE_COMMENT, (comment, list: string) => {
    const ids = idsIn(list)
    const left = ids.filter(id => !gone.has(id))
    if (left.length === ids.length) return comment
    if (left.length === 0) isLeft = false
    return `<!-- memories: ${left.join(', ')} -->`
  })
  return isLeft ? kept : undefined
}

/**
 * A line of an editor's with other memories in its comments. Ids that stand for undefined are left out, and so is a comment that names no
 * memory then: what the line says rests on none any more.
 */
export function namingOthers(line: string, others: ReadonlyMap<string, string | undefined>): string {
  let isLess = false
  const renamed = line.replace(SOURCE_COMMENT, (comment, list: string) => {
    const ids = idsIn(list)
    if (!ids.some(id => others.has(id))) return comment
    const named = new Set(ids.flatMap(id => (others.has(id) ? (others.get(id) ?? []) : [id])))
    if (named.size > 0) return `<!-- memories: ${[...named].join(', ')} -->`
    isLess = true
    return ''
  })
  return isLess ? renamed.trimEnd() : renamed
}

/** Returns the visible text of a line: without bullet, comments and surrounding spaces. */
export function visible(line: string): string {
  return withoutComments(line)
    .trim()
    .replace(/^[-*+]\s+/, '')
}

/** Replaces comments, and leaves what nothing ends as it is. */
export function withoutComments(text: string, replacement = ''): string {
  const kept: string[] = []
  let from = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    kept.push(text.slice(from, start))
    from = end + 3
  }
  return [...kept, text.slice(from)].join(replacement)
}

function idsIn(list: string): string[] {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(id => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
}
