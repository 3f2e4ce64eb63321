import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { change, useData } from '../../data.ts'
import { Ask, Dialog, Field, type Values } from '../../forms.tsx'
import { Button } from '../../parts.tsx'
import { counted } from './texts.ts'

interface EraseUserProps {
  /** It is likely meant. */
  readonly user?: string | undefined
  readonly onErased: (message: ComponentChildren) => void
  readonly onClose: () => void
}

/** Deletes all memories of one user, for good. */
export function EraseUser({ user = '', onErased, onClose }: EraseUserProps) {
  const [typed, setTyped] = useState(user)
  const { data, error } = useData<{ id: string; type: string; count: number }[]>('/v1/memories/entities')
  const find = (id: string) => data?.find(entity => entity.type === 'user' && entity.id === id)
  // Keyboards of phones add a space; an id that has one is listed, or is the one that was likely meant.
  const chosen = typed === user || find(typed) ? typed : typed.trim()
  const known = find(chosen)
  const count = known && counted(known.count, 'memory', 'memories')
  const erase = async ({ password }: Values) => {
    await change('DELETE', '/v1/memories', { query: { user_id: chosen }, password })
    onErased(
      <>
        All memories of <bdi>{chosen}</bdi> were deleted.
      </>,
    )
  }
  const all = known && known.count > 1 ? `All ${count}` : 'All memories'
  return (
    <Dialog title="Delete a user's memories" onClose={onClose}>
      <div class="stack">
        <Field label="User" name="erased" list="known-users" dir="auto" value={typed} onTyped={setTyped} />
        {chosen !== '' && data && (
          <p class="quiet" role="status">
            {known ? `This user has ${count}.` : 'No memory of this user is listed.'}
          </p>
        )}
        <div class="row end">
          <Button label="Cancel" onClick={onClose} />
          {chosen !== '' && (data || error) && (
            <Ask
              password
              label="Delete all memories"
              question={`${all} of the user \u2068${chosen}\u2069 are deleted for good, ${PROCESSED}.`}
              act={erase}
            />
          )}
        </div>
      </div>
    </Dialog>
  )
}

const PROCESSED = 'with conversations, documents and imports of this user that are still being processed'
