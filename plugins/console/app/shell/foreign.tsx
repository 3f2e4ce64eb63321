import { useRef, useState } from 'preact/hooks'
import { Head, Skeleton } from '../parts.tsx'
import { chosenWorkspace, hrefOf, ROOT } from '../place.ts'
import type { Page } from '../session.ts'
import { pathOf } from './paths.ts'
import { showTheme } from './theme.ts'

interface ForeignProps {
  readonly pages: readonly Page[]
  /** Where the page is on the service: `/x/gallery/`. */
  readonly path: string
}

/** A page of a plugin, which is a document of its own, beside the menu. It gets the workspace and the colours. */
export function Foreign({ pages, path }: ForeignProps) {
  const page = pages.find(each => `${path}/`.startsWith(pathOf(each)))
  const [isLoaded, setLoaded] = useState(false)
  const frame = useRef<HTMLIFrameElement>(null)
  const [first] = useState(() => addressOf(path))
  if (!page) return <Head title="There is no such page" about="The menu lists those that there are." />
  const show = () => {
    setLoaded(true)
    const inside = frame.current?.contentWindow
    if (!inside || frame.current?.contentDocument === null) return
    showTheme(inside.document)
    // A link that is copied, and going back, lead to the same place inside.
    const place = inside.location.pathname.slice(ROOT.length)
    history.replaceState(history.state, '', hrefOf(place))
  }
  return (
    <>
      {!isLoaded && <Skeleton />}
      <iframe class="foreign" ref={frame} title={page.title} src={first} onLoad={show} />
    </>
  )
}

function addressOf(path: string): string {
  const query = new URLSearchParams(location.search)
  query.set('workspace_id', chosenWorkspace() ?? '')
  return `${ROOT}${path.replace(/^(\/x\/[^/]+)$/, '$1/')}?${query}`
}
