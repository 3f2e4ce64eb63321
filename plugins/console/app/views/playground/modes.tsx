import { Link } from '../../address.tsx'
import { call } from '../../api.ts'
import { CopyAs } from '../../copy-as.tsx'
import { Badge, Card, Loaded } from '../../parts.tsx'
import { useLoaded } from '../../use-loaded.ts'
import type { Memories, Memory } from '../memories/memory.ts'
import { shortened } from '../memories/texts.ts'
import type { Asked } from '../playground.tsx'

const SHOWN_MAX = 8
const SEARCHED_MAX = 1000

const MODES = [
  { mode: 'hybrid', title: 'Words and meaning' },
  { mode: 'semantic', title: 'Meaning' },
  { mode: 'keyword', title: 'Exact words' },
] as const

/** The same message, searched for in each way side by side, with the words that matched. */
export function Modes({ asked }: { readonly asked: Asked }) {
  return (
    <>
      <div class="columns three">
        {MODES.map(({ mode, title }) => (
          <Found key={mode} title={title} mode={mode} asked={asked} />
        ))}
      </div>
      <p class="quiet">
        Something is missing? <Link to="/searches?part=why">See why a memory is not found</Link>
      </p>
    </>
  )
}

type FoundProps = { title: string; mode: string; asked: Asked }

function Found({ title, mode, asked: { message, max_characters, ...filters } }: FoundProps) {
  const body = { query: message.slice(0, SEARCHED_MAX), mode, page_size: SHOWN_MAX, explain: true, ...filters }
  const found = useLoaded('once', () => call<Memories>('POST', '/v1/memories/search', { body }))
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
                  <Link to={`/memories/${memory.id}`} dir="auto" class="clipped">
                    {shortened(memory.memory, 160)}
                  </Link>
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
