import type { ConversationRehearsal, RehearsedMemory } from '@mneme/client'
import { CopyAs } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Badge, Card, type Column, Empty, Loaded, Table } from '../../parts.tsx'
import type { Asked } from '../playground.tsx'

const COLUMNS: readonly Column<RehearsedMemory>[] = [
  ['Memory', ({ memory }) => <bdi>{memory}</bdi>],
  ['Priority', ({ priority }) => <Badge kind="plain">{priority}</Badge>],
  ['Categories', ({ categories }) => <bdi>{categories.join(', ') || '–'}</bdi>],
]

/** What would be kept of the message, if it were sent as a turn of a conversation. Nothing is stored. */
export function Stored({ asked: { message, user_id, agent_id, session_id } }: { readonly asked: Asked }) {
  const body = { messages: [{ role: 'user', content: message }], user_id, agent_id, session_id }
  const path = '/v1/memories/conversations'
  const run = useData<ConversationRehearsal>(`${path}?dry_run=true`, body, { asBody: true })
  return (
    <Loaded from={run}>
      {({ memories, extracted_by }) =>
        memories.length === 0 ? (
          <Empty title="Nothing would be kept" text="A question or a greeting states nothing that lasts." />
        ) : (
          <Card>
            <div class="row">
              <span class="quiet grow">
                Nothing is stored by this. Read by {extracted_by.includes('local') ? 'rules' : 'the language model'}.
              </span>
              <CopyAs path={`${path}?dry_run=true`} body={body} />
            </div>
            <Table label="What would be stored" columns={COLUMNS} rows={memories} keyOf={({ memory }) => memory} />
          </Card>
        )
      }
    </Loaded>
  )
}
