import purify from 'dompurify'
import { marked, type Token } from 'marked'

/** Scripts, and what the policy of pages refuses: inline styles, and pictures from elsewhere. */
const REFUSED = { FORBID_TAGS: ['img', 'style', 'form', 'input', 'svg', 'math'], FORBID_ATTR: ['style', 'id', 'class'] }

/** Makes elements of Markdown that anybody may have written. */
export function rendered(text: string): DocumentFragment {
  const html = marked.parse(text, { async: false, gfm: true, walkTokens: demote })
  return purify.sanitize(html, { ...REFUSED, RETURN_DOM_FRAGMENT: true })
}

/** The page has a title of its own, below which those of the text stand. */
function demote(token: Token): void {
  if (token.type === 'heading') token.depth = Math.min(6, token.depth + 1)
}
