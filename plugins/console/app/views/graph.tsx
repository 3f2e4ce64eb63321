import { useEffect, useState } from 'preact/hooks'
import { useAddress } from '../address.tsx'
import { Skeleton } from '../parts.tsx'
import { Entity } from './graph/entity.tsx'

/** People, organizations, places and things that memories name: all of them, or the one that the address names. */
export function Graph() {
  const { parts } = useAddress()
  return parts[1] === undefined ? <WholeGraph /> : <Entity key={parts[1]} id={parts[1]} />
}

type ExplorerModule = typeof import('./graph/explorer.tsx')

/** The libraries that draw it are loaded by those who open it. */
function WholeGraph() {
  const [loaded, setLoaded] = useState<ExplorerModule | Error | undefined>(undefined)
  useEffect(() => {
    import('./graph/explorer.tsx').then(setLoaded, setLoaded)
  }, [])
  if (loaded instanceof Error) throw loaded
  return loaded ? <loaded.Explorer /> : <Skeleton />
}
