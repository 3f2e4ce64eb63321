import { useState } from 'preact/hooks'
import { useAddress } from '../address.tsx'
import { Asking, Field, TextField, type Values } from '../forms.tsx'
import { Button, Card, Empty, Head, Tabs } from '../parts.tsx'
import { Known } from './memories/known.tsx'
import { Context } from './playground/context.tsx'
import { Modes } from './playground/modes.tsx'
import { Stored } from './playground/stored.tsx'

/** A message with the owners of the memories that may answer it. */
export interface Asked {
  readonly message: string
  readonly user_id: string | undefined
  readonly agent_id: string | undefined
  readonly session_id: string | undefined
  readonly categories: string[] | undefined
  readonly max_characters: number | undefined
}

const PARTS = { context: 'What an agent is told', modes: 'Three ways to search', stored: 'What would be stored' }

const LENGTHS = [
  ['1000', '1,000'],
  ['2000', '2,000'],
  ['', '4,000'],
  ['10000', '10,000'],
  ['50000', '50,000'],
] as const

/** Tries a message: the address keeps it, so that the same is tried again when the reader comes back. */
export function Playground() {
  const { query, set } = useAddress()
  const [round, setRound] = useState(0)
  const ask = (values: Values) => {
    setRound(round + 1)
    set(values)
  }
  const part = query.part ?? 'context'
  const asked = askedIn(query)
  // The same message is asked for anew in another round.
  const key = JSON.stringify([asked, round])
  return (
    <>
      <Head title="Playground" />
      <Known />
      <div class="play">
        <Card>
          <Question query={query} onAsk={ask} />
        </Card>
        <div class="stack" aria-live="polite">
          <Tabs options={PARTS} chosen={part} onChoose={id => set({ part: id === 'context' ? '' : id })} />
          {!asked && (
            <Empty
              title="Try a message"
              text="See what an agent is told before it answers, what each way to search finds, and what of it would be stored."
            />
          )}
          {asked && part === 'context' && <Context key={key} asked={asked} />}
          {asked && part === 'modes' && <Modes key={key} asked={asked} />}
          {asked && part === 'stored' && <Stored key={key} asked={asked} />}
        </div>
      </div>
    </>
  )
}

function askedIn({ message, categories, max_characters, ...owners }: Record<string, string>): Asked | undefined {
  if (!message) return undefined
  const { user_id, agent_id, session_id } = owners
  return {
    message,
    user_id,
    agent_id,
    session_id,
    categories: categories === undefined ? undefined : [categories],
    max_characters: max_characters === undefined ? undefined : Number(max_characters),
  }
}

const NAMED = { dir: 'auto', placeholder: 'All' } as const

type QuestionProps = { query: Record<string, string>; onAsk: (values: Values) => void }

function Question({ query, onAsk }: QuestionProps) {
  const given = (name: string) => ({ name, value: query[name] ?? '' })
  return (
    <Asking onAsk={onAsk}>
      <TextField
        label="Message"
        dir="auto"
        rows={5}
        required
        maxLength={50_000}
        placeholder="What should I cook for Grace on Friday?"
        hint="As a user would write it to the agent. It counts as a search."
        {...given('message')}
      />
      <TextField label="User" list="known-users" {...NAMED} {...given('user_id')} />
      <TextField label="Agent" list="known-agents" {...NAMED} {...given('agent_id')} />
      <TextField label="Session" {...NAMED} {...given('session_id')} />
      <TextField label="Category" list="known-categories" {...NAMED} {...given('categories')} />
      <Field label="Characters at most" options={LENGTHS} {...given('max_characters')} />
      <Button type="submit" kind="first" label="Try the message" />
    </Asking>
  )
}
