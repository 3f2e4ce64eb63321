import { call } from '../../api.ts'
import { CopyAs } from '../../copy-as.tsx'
import { Badge, Card, Empty, Loaded, Table } from '../../parts.tsx'
import { useLoaded } from '../../use-loaded.ts'
import type { Asked } from '../playground.tsx'

interface Memory {
  readonly memory: string
  readonly priority: string
  readonly categories: readonly string[]
}

interface DryRun {
  readonly memories: readonly Memory[]
  readonly extracted_by: readonly string[]
}

const COLUMNS = [
  { title: 'Memory', cell: ({ memory }: Memory) => <span dir="auto">{memory}</span> },
  { title: 'Priority', cell: ({ priority }: Memory) => <Badge kind="plain">{priority}</Badge> },
  { title: 'Categories', cell: ({ categories }: Memory) => <span dir="auto">{categories.join(', ') || '–'}</span> },
]

/** What would be kept of the message, if it were sent as a turn of a conversation. Nothing is stored. */
export function Stored({ asked: { message, user_id, agent_id, session_id } }: { readonly asked: Asked }) {
  const body = { messages: [{ role: 'user', content: message }], user_id, agent_id, session_id }
  const path = '/v1/memories/conversations'
  const run = useLoaded('once', () => call<DryRun>('POST', path, { query: { dry_run: true }, body }))
  return (
    <Loaded from={run}>
      {({ memories, extracted_by }) =>
        memories.length === 0 ? (
          <Empty title="Nothing would be kept">A question or a greeting states nothing that lasts.</Empty>
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
