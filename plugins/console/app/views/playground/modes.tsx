import { Link } from '../../address.tsx'
import { CopyAs } from '../../copy.tsx'
import { useData } from '../../data.ts'
import { Badge, Card, Loaded } from '../../parts.tsx'
import type { Memories, Memory } from '../memories/memory.ts'
import { shortened } from '../memories/texts.ts'
import type { Asked } from '../playground.tsx'

const SHOWN_MAX = 8
const SEARCHED_MAX = 1000

const MODES = { hybrid: 'Words and meaning', semantic: 'Meaning', keyword: 'Exact words' }

/** The same message, searched for in each way side by side, with the words that matched. */
export const Modes = ({ asked }: { readonly asked: Asked }) => (
  <>
    <div class="columns three">
      {Object.entries(MODES).map(([mode, title]) => (
        <Found key={mode} title={title} mode={mode} asked={asked} />
      ))}
    </div>
    <p class="quiet">
      Something is missing? <Link to="/searches?part=why" text="See why a memory is not found" />
    </p>
  </>
)

type FoundProps = { title: string; mode: string; asked: Asked }

function Found({ title, mode, asked: { message, max_characters, ...filters } }: FoundProps) {
  const body = { query: message.slice(0, SEARCHED_MAX), mode, page_size: SHOWN_MAX, explain: true, ...filters }
  const found = useData<Memories>('/v1/memories/search', body, { asBody: true })
  return (
    <Card aria-label={title}>
      <div class="row">
        <h2 class="grow">{title}</h2>
        <CopyAs path="/v1/memories/search" body={body} />
      </div>
      <Loaded from={found}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">Nothing is found.</p>
          ) : (
            <ul class="plain stack">
              {data.map(memory => (
                <li key={memory.id}>
                  <Link to={`/memories/${memory.id}`} class="clipped" text={shortened(memory.memory, 160)} />
                  <Badge kind={memory.relevance === 'HIGH' ? 'good' : 'plain'}>{memory.score?.toFixed(2) ?? ''}</Badge>{' '}
                  <small class="quiet" dir="auto">
                    {matchedBy(memory)}
                  </small>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function matchedBy({ explanation }: Memory): string {
  const words = explanation?.terms?.flatMap(({ matched }) => matched) ?? []
  return words.length === 0 ? 'by its meaning alone' : `by ${[...new Set(words)].join(', ')}`
}
