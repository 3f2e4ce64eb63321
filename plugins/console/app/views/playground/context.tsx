import type { AssembleContextResult as Told } from '@mneme/client'
import { CopyAs, CopyButton } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Badge, Card, type Column, Empty, Loaded, Notice, Table } from '../../parts.tsx'
import { MemoryLink } from '../memories/memory-link.tsx'
import { counted, figure } from '../memories/texts.ts'
import type { Asked } from '../playground.tsx'

/** The context as an agent gets it, and the memories that it tells. */
export function Context({ asked: { message, ...others } }: { readonly asked: Asked }) {
  const body = { query: message, ...others }
  const answer = useData<Told>('/v1/context', body, { asBody: true })
  return (
    <Loaded from={answer}>
      {({ context, memories, warning }) => (
        <>
          {warning && <Notice kind="warn" text={warning} />}
          {context === '' ? (
            <Empty title="Nothing is known" text="No memory fits the message. Clear a filter, or ask otherwise." />
          ) : (
            <Card>
              <div class="stack">
                <div class="row">
                  <span class="quiet grow" role="status">
                    {counted(context.length, 'character', 'characters')},{' '}
                    {counted(memories.length, 'memory', 'memories')}
                  </span>
                  <CopyButton label="Copy the context" text={context} />
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

const COLUMNS: readonly Column<Told['memories'][number]>[] = [
  ['Memory', ({ id }) => <MemoryLink id={id} />],
  ['Score', ({ score }) => figure(score), 'number'],
  ['Told', ({ excerpt }) => (excerpt ? 'in part' : 'whole')],
  ['Holds', ({ ended }) => <Badge kind={ended ? 'warn' : 'good'}>{ended ? 'no more' : 'still'}</Badge>],
]
