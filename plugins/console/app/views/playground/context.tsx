import { call } from '../../api.ts'
import { CopiedText } from '../../copied-text.js'
import { CopyAs } from '../../copy-as.tsx'
import { Badge, Card, Empty, Loaded, Notice, Table } from '../../parts.tsx'
import { useLoaded } from '../../use-loaded.ts'
import { MemoryLink } from '../memories/memory-link.tsx'
import { counted, figure } from '../memories/texts.ts'
import type { Asked } from '../playground.tsx'

interface Told {
  readonly context: string
  readonly memories: readonly { id: string; score: number; excerpt: boolean; ended: boolean }[]
  readonly warning?: string
}

/** The context as an agent gets it, and the memories that it tells. */
export function Context({ asked: { message, ...others } }: { readonly asked: Asked }) {
  const body = { query: message, ...others }
  const answer = useLoaded('once', () => call<Told>('POST', '/v1/context', { body }))
  return (
    <Loaded from={answer}>
      {({ context, memories, warning }) => (
        <>
          {warning && (
            <Notice kind="warn">
              <p>{warning}</p>
            </Notice>
          )}
          {context === '' ? (
            <Empty title="Nothing is known">No memory fits the message. Clear a filter, or ask otherwise.</Empty>
          ) : (
            <Card>
              <div class="stack">
                <div class="row">
                  <span class="quiet grow" role="status">
                    {counted(context.length, 'character', 'characters')},{' '}
                    {counted(memories.length, 'memory', 'memories')}
                  </span>
                  <CopiedText label="Copy the context" text={context} />
                  <CopyAs path="/v1/context" body={body} />
                </div>
                <section aria-label="Context">
                  <pre dir="auto">{context}</pre>
                </section>
              </div>
            </Card>
          )}
          {memories.length > 0 && (
            <Card title="Memories in it">
              <Table label="Memories in it" columns={COLUMNS} rows={memories} />
            </Card>
          )}
        </>
      )}
    </Loaded>
  )
}

type Row = Told['memories'][number]

const COLUMNS = [
  { title: 'Memory', cell: ({ id }: Row) => <MemoryLink id={id} /> },
  { title: 'Score', isNumber: true, cell: ({ score }: Row) => figure(score) },
  { title: 'Told', cell: ({ excerpt }: Row) => (excerpt ? 'in part' : 'whole') },
  {
    title: 'Holds',
    cell: ({ ended }: Row) => <Badge kind={ended ? 'warn' : 'good'}>{ended ? 'no more' : 'still'}</Badge>,
  },
]
