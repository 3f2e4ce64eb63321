import { useEffect, useRef, useState } from 'preact/hooks'
import { CopyButton } from '../../copy.tsx'
import { MemoryLink } from '../memories/known.tsx'

const SOURCES = /[ \t]*<!--\s*memories:([0-9a-f\s,-]*)-->/gi
const MARK = '#memories='

/** The text of a document without the comments that name memories. */
export const withoutSources = (content: string) => content.replace(SOURCES, '')

/** Each comment becomes a link, which Markdown keeps in its place. */
const withMarks = (content: string) =>
  content.replace(SOURCES, (_, ids: string) => ` [sources](${MARK}${ids.replaceAll(/\s/g, '')})`)

/** A document as Markdown has it; behind each statement is a mark, which shows the memories that say so. */
export function Rendered({ content }: { readonly content: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [ids, setIds] = useState<readonly string[]>([])
  useEffect(() => {
    let isOver = false
    void import('../../markdown.ts').then(({ rendered }) => {
      if (isOver) return
      const fragment = rendered(withMarks(content))
      for (const link of fragment.querySelectorAll<HTMLAnchorElement>(`a[href^="${MARK}"]`))
        link.replaceWith(markOf(link, show))
      place.current?.replaceChildren(fragment)
    })
    return () => {
      isOver = true
    }
  }, [content])
  const show = (mark: HTMLElement, named: readonly string[]) => {
    for (const other of place.current?.querySelectorAll<HTMLElement>('.source') ?? [])
      other.style.setProperty('anchor-name', other === mark ? '--source' : 'none')
    setIds(named)
  }
  const hide = () => setIds([])
  const press = (event: KeyboardEvent) => event.key === 'Escape' && hide()
  return (
    <section class="document" aria-label="Text" onMouseLeave={hide} onKeyDown={press}>
      <div class="prose" dir="auto" ref={place} />
      {ids.length > 0 && (
        <ul class="sources plain" aria-label="Memories that say so">
          {ids.map(id => (
            <li key={id}>
              <MemoryLink id={id} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function markOf({ hash }: HTMLAnchorElement, show: (mark: HTMLElement, ids: readonly string[]) => void): HTMLElement {
  const ids = hash.slice(MARK.length).split(',').filter(Boolean)
  const mark = document.createElement('button')
  mark.type = 'button'
  mark.className = 'source'
  mark.textContent = String(ids.length)
  mark.ariaLabel = ids.length === 1 ? 'Show the memory that says so' : `Show the ${ids.length} memories that say so`
  mark.onmouseenter = mark.onfocus = mark.onclick = () => show(mark, ids)
  return mark
}

/** A document to read and to copy. */
export const Document = ({ content }: { readonly content: string }) => (
  <>
    <Rendered content={content} />
    <div class="row">
      <CopyButton label="Copy the text" text={withoutSources(content)} />
      <CopyButton label="Copy with sources" text={content} />
    </div>
  </>
)
