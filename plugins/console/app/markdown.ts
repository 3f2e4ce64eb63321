import purify from 'dompurify'
import { Marked, type Token } from 'marked'

/** Markup in a text is shown as it was written: it is no part of a document, and parsing it would ask the policy of pages about it. */
const markdown = new Marked({ gfm: true, walkTokens: demote, renderer: { html: ({ text }) => escaped(text) } })

/** The policy of pages refuses pictures from elsewhere. */
const REFUSED = { FORBID_TAGS: ['img', 'input'], FORBID_ATTR: ['style', 'id', 'class'] }

/** Makes elements of Markdown that anybody may have written. */
export function rendered(text: string): DocumentFragment {
  const html = markdown.parse(text, { async: false })
  return purify.sanitize(html, { ...REFUSED, RETURN_DOM_FRAGMENT: true })
}

/** The page has a title of its own, below which those of the text stand. */
function demote(token: Token): void {
  if (token.type === 'heading') token.depth = Math.min(6, token.depth + 1)
}

const escaped = (text: string) => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
