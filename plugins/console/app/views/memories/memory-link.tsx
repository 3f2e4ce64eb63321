import { Link } from '../../address.tsx'
import { useData } from '../../data.ts'
import type { Memory } from './memory.ts'
import { shortened } from './texts.ts'

/** Leads to a memory by its text, not by its id. @param search keeps the list beside it as it is */
export function MemoryLink({ id, search = '' }: { readonly id: string; readonly search?: string }) {
  const { data, error } = useData<Memory>(`/v1/memories/${id}`)
  if (error) return <span class="quiet">A memory that is gone</span>
  return (
    <Link to={`/memories/${id}${search}`} staysHere={search !== ''} text={data ? shortened(data.memory, 120) : '…'} />
  )
}
