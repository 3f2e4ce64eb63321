import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { type Block, ReadingError } from '../../document/document.ts'
import type { Parsed, Reading } from '../reading.ts'
import { parseHtmlPart } from './html.ts'
import { requireMarkup } from './html-markup.ts'
import { parseText } from './text.ts'

/** Letters that are forwarded as attachments may hold others. */
const MESSAGES_DEEP_MAX = 5
/** A warning names so many attachments. */
const NAMED_MAX = 10

/** An e-mail (EML, RFC 5322): its head, its text, and its attachments by their own formats. */
export async function parseEml(bytes: Uint8Array, reading: Reading): Promise<Parsed> {
  const { limits } = reading
  if (reading.depth > MESSAGES_DEEP_MAX) {
    throw new ReadingError('LIMIT_EXCEEDED', `The e-mail holds others more than ${MESSAGES_DEEP_MAX} levels deep.`)
  }
  const email = await PostalMime.parse(bytes, { maxNestingDepth: limits.nesting, forceRfc822Attachments: true })
  const isEmail = email.from || email.to || email.subject || email.date || email.messageId || isWebPage(email)
  if (!isEmail) throw new ReadingError('FORMAT_MISMATCH', 'The file is not an e-mail (EML): it has no head.')
  const title = email.subject?.trim()
  return { ...(title ? { title } : {}), blocks: blocksOf(email, reading) }
}

/** Word keeps a page as MHT (RFC 2557), whose head may say nothing but how it is encoded. */
function isWebPage({ headers, html }: Email): boolean {
  return Boolean(html?.trim()) && headers.some(({ key }) => key === 'mime-version')
}

async function* blocksOf(email: Email, reading: Reading): AsyncGenerator<Block> {
  if (email.subject?.trim()) yield { kind: 'heading', level: 1, text: email.subject.trim() }
  const head = [
    ['From', addressesIn(email.from ? [email.from] : [])],
    ['To', addressesIn(email.to ?? [])],
    ['Cc', addressesIn(email.cc ?? [])],
    ['Date', email.date ?? ''],
  ]
  const lines = head.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  if (lines.length > 0) yield { kind: 'paragraph', text: lines.join('\n') }
  if (email.text?.trim()) yield* parseText(email.text.replaceAll('\r\n', '\n'))
  else if (email.html?.trim()) {
    requireMarkup(email.html, reading.limits.htmlMarks)
    yield* parseHtmlPart(email.html)
  }
  yield* attachmentsOf(email.attachments, reading)
}

async function* attachmentsOf(attachments: readonly Attachment[], reading: Reading): AsyncGenerator<Block> {
  const unread: string[] = []
  /** An invitation stands among the text and as an attachment. */
  const calendars = new Set<string>()
  for (const { filename, mimeType, content, related } of attachments) {
    // Pictures of a letter's own, as a signature has, are no documents.
    if (related && mimeType.startsWith('image/')) continue
    const name = filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : mimeType)
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
    if (mimeType === 'text/calendar' || mimeType === 'application/ics') {
      const said = new TextDecoder().decode(bytes).trim()
      if (calendars.has(said)) continue
      calendars.add(said)
    }
    try {
      const part = await reading.readPart({ bytes, name }, mimeType)
      yield { kind: 'heading', level: 1, text: `Attachment: ${name}` }
      for await (const block of part.blocks)
        yield block.kind === 'heading' ? { ...block, level: block.level + 1 } : block
      for (const warning of part.warnings ?? []) reading.warnings.push(`${name}: ${warning}`)
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      unread.push(name)
    }
  }
  if (unread.length > 0) reading.warnings.push(warningOf(unread))
}

function warningOf(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).join(', ')
  const dots = names.length > NAMED_MAX ? ', …' : ''
  return `${names.length} of its attachments could not be read and ${names.length === 1 ? 'was' : 'were'} left out: ${named}${dots}.`
}

function addressesIn(addresses: readonly Address[]): string {
  const written = addresses.map(({ name, address, group }) => {
    if (group) return `${name}: ${addressesIn(group)}`
    return name && address ? `${name} <${address}>` : name || address
  })
  return written.filter(Boolean).join(', ')
}
