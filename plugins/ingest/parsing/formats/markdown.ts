import { decodeHTMLStrict } from 'entities/decode'
import { Marked, type Token, type Tokens } from 'marked'
import { parse } from 'yaml'
import type { Block } from '../../document/document.ts'
import { namedRows } from '../columns.ts'
import { signBefore } from '../off-the-line.ts'
import { LINE_BREAK, unwrapped } from '../running-text.ts'
import { parseHtmlPart } from './html.ts'

/**
 * Markdown, as GitHub has it, with the links and comments of Obsidian; a front matter's title is the document's. A note that has one without a
 * title, and no heading of the first level, has its subject in its name alone, which stands above it.
 */
export function parseMarkdown(text: string, fileName = ''): { title: string | undefined; blocks: Generator<Block> } {
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text)
  const { title, lines } = frontMatterOf(front?.[1] ?? '')
  const tokens = lexer.lexer(front ? text.slice(front[0].length) : text)
  const first = tokens.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1)
  const own = title || (first && plain(first.tokens, 'words'))
  const name = own || lines.length === 0 ? undefined : noteName(fileName)
  return { title: own || name, blocks: blocksOf(tokens, 0, lines.join('\n'), name) }
}

/** The name of a file without its ending, where it is one of Markdown: an address is no subject. */
function noteName(fileName: string): string | undefined {
  return /^([^/\\]*[^\s/\\])\.(?:md|markdown|mdx)$/i.exec(fileName)?.[1]?.trim()
}

/** A link to another note: `[[note#part|text]]`, in a table with `\|`; with `!` before it the note is shown there. */
const WIKI_LINK = /^(!?)\[\[([^[\]|#\n]*)(?:#([^[\]|\n]*))?(?:\\?\|([^[\]\n]*))?\]\]/
const PICTURE = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|mp[34]|wav|webm|ogg|mov)$/i
/** Says how wide a picture is. */
const SIZE = /^\d+(?:x\d+)?$/

/** Behind a digit the sign is a percentage. */
const COMMENT = /^%%[\s\S]*?%%/
const comment = (level: 'block' | 'inline') => ({
  name: `${level}Comment`,
  level,
  // A block that began elsewhere would end the paragraph before it.
  start: (text: string) => (level === 'inline' ? text.match(/(?<![\d%])%%/)?.index : undefined),
  tokenizer(text: string) {
    const found = COMMENT.exec(text)
    return found ? { type: 'comment', raw: found[0] } : undefined
  },
})
/** Tokens that say nothing: a definition says what a link elsewhere in the text says already. */
const SILENT = new Set(['space', 'def', 'comment', 'hr'])

const lexer = new Marked({ gfm: true }).use({
  extensions: [
    comment('block'),
    comment('inline'),
    {
      name: 'wikiLink',
      level: 'inline',
      start: (text: string) => text.match(/!?\[\[/)?.index,
      tokenizer(text: string) {
        const found = WIKI_LINK.exec(text)
        return found ? { type: 'wikiLink', raw: found[0] } : undefined
      },
    },
  ],
})

/** The words of a link to a note, with the note's name where they are others. */
function wikiLinkOf(raw: string, links: Links): string {
  const [, shown, note = '', part = '', words = ''] = WIKI_LINK.exec(raw) ?? []
  const name = note.trim()
  const said = SIZE.test(words.trim()) ? '' : words.trim()
  if (shown && PICTURE.test(name)) return said
  // A mark of a paragraph says nothing.
  const target = [name, part.startsWith('^') ? '' : part.replaceAll('#', ' › ').trim()].filter(Boolean).join(' › ')
  if (!said || said === target) return target
  return links === 'words' || !name || said === name ? said : `${said} (${name})`
}

/** The fields of a front matter, a line each; one that is no YAML as it is written. */
function frontMatterOf(yaml: string): { title: string | undefined; lines: string[] } {
  if (!yaml.trim()) return { title: undefined, lines: [] }
  try {
    const fields: unknown = parse(yaml, { schema: 'failsafe', maxAliasCount: 100, logLevel: 'error' })
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw new Error('it has no fields')
    const named = Object.entries(fields)
    const title = named.find(([name]) => name.toLowerCase() === 'title')?.[1]
    return {
      title: typeof title === 'string' ? title.trim() : undefined,
      lines: named.flatMap(([name, value]) => fieldLines(name, value)),
    }
  } catch {
    return { title: undefined, lines: [yaml.trim()] }
  }
}

function fieldLines(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return fieldLines(name, value.join(', '))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, child]) => fieldLines(`${name}.${key}`, child))
  const text = typeof value === 'string' ? plain(lexer.lexer(value.trim())) : ''
  return text ? [`${name}: ${text}`] : []
}

function* blocksOf(tokens: readonly Token[], depth: number, front?: string, name?: string): Generator<Block> {
  const says = front?.trim() || tokens.some(({ type }) => !SILENT.has(type))
  if (name && says) yield { kind: 'heading', level: 1, text: name }
  if (front?.trim()) yield { kind: 'paragraph', text: front.trim() }
  for (const token of tokens) yield* blockOf(token, depth)
}

function* blockOf(token: Token, depth: number): Generator<Block> {
  switch (token.type) {
    case 'heading':
      yield { kind: 'heading', level: token.depth, text: plain(token.tokens ?? [], 'words') }
      return
    case 'paragraph':
    case 'text':
      yield { kind: 'paragraph', text: plain(token.tokens ?? [token]) }
      return
    case 'code':
      yield { kind: 'code', text: token.text }
      return
    case 'blockquote':
      yield* blocksOf(token.tokens ?? [], depth)
      return
    case 'list':
      yield* listOf(token as Tokens.List, depth)
      return
    case 'table':
      yield* tableOf(token as Tokens.Table)
      return
    case 'html':
      yield* parseHtmlPart(token.text)
  }
}

function* listOf(list: Tokens.List, depth: number): Generator<Block> {
  for (const [n, item] of list.items.entries()) {
    const number = list.ordered ? `${Number(list.start === '' ? 1 : list.start) + n}. ` : ''
    const mark = number + (item.task ? (item.checked ? '[x] ' : '[ ] ') : '')
    const tokens = item.tokens.filter(({ type }) => type !== 'checkbox' && type !== 'space')
    const after = tokens.findIndex(({ type }) => type !== 'text' && type !== 'paragraph')
    const own = tokens.slice(0, after < 0 ? tokens.length : after)
    const text = own.map(token => plain('tokens' in token ? (token.tokens ?? [token]) : [token])).join('\n')
    const [first, ...rest] = own.length > 0 ? text.split('\n\n') : ['']
    if (first) yield { kind: 'item', depth, text: mark + [first, ...rest].join('\n') }
    for (const token of tokens.slice(own.length)) yield* blockOf(token, depth + 1)
  }
}

function* tableOf(table: Tokens.Table): Generator<Block> {
  const columns = table.header.map(cell => oneLine(plain(cell.tokens, 'words')))
  if (table.rows.length === 0) yield { kind: 'paragraph', text: columns.join(', ') }
  yield* namedRows([columns, ...table.rows.map(row => row.map(cell => oneLine(plain(cell.tokens))))], true)
}

function oneLine(text: string): string {
  return text.replaceAll('\n', ' ')
}

/** A heading, and the name of a column, is said again above all that is below it: addresses would only stand in the way. */
type Links = 'words' | 'addresses'

/** The words of inline tokens, without their marks; the address of a link stays where it says more than its text. */
function plain(tokens: readonly Token[], links: Links = 'addresses'): string {
  return unwrapped(withBreaks(tokens, links).replace(/[ \t]+/g, ' ')).trim()
}

function withBreaks(tokens: readonly Token[], links: Links): string {
  let text = ''
  for (const [n, token] of tokens.entries()) {
    const raised = token.type === 'html' ? /^<(su[bp])>/i.exec(token.text)?.[1] : undefined
    text += raised ? signBefore(raised, text, tokens[n + 1]?.raw ?? '') : plainOf(token, links)
  }
  return text
}

function plainOf(token: Token, links: Links): string {
  if (token.type === 'br') return LINE_BREAK
  if (token.type === 'comment') return ''
  if (token.type === 'html') return /^<br\b/i.test(token.text) ? LINE_BREAK : ''
  if (token.type === 'image') return token.text
  if (token.type === 'wikiLink') return wikiLinkOf(token.raw, links)
  if (token.type === 'link') return linked(token as Tokens.Link, links)
  // The item says itself that it is done.
  if (token.type === 'checkbox') return ''
  if ('tokens' in token && token.tokens) return withBreaks(token.tokens, links)
  const text = 'text' in token ? String(token.text) : token.raw
  return token.type === 'codespan' ? text : decodeHTMLStrict(text).replaceAll('\u00a0', ' ')
}

/** An address within the document or its folder says nothing elsewhere. */
const ADDRESS = /^(?:https?:\/\/|mailto:)/i

function linked({ href, tokens }: Tokens.Link, links: Links): string {
  const text = plain(tokens, links)
  // A badge is a picture with a link around it.
  if (links === 'words' || tokens.every(({ type }) => type === 'image')) return text
  const bare = (address: string) => address.replace(ADDRESS, '').replace(/\/$/, '')
  return text && ADDRESS.test(href) && bare(href) !== bare(text) ? `${text} (${href})` : text
}
