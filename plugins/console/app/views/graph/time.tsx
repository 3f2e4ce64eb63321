import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { Button } from '../../parts.tsx'
import type { Filters } from './model.ts'

const DAY_MS = 86_400_000
const STEPS = 60
const STEP_MS = 120

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

interface TimeProps {
  /** When the first of it all was known, in milliseconds. */
  readonly from: number
  /** Undefined means now. */
  readonly at: number | undefined
  /** Called while it moves. */
  readonly onMove: (at: number | undefined) => void
  readonly onRest: (at: number | undefined) => void
}

/** Leads back to any day since the first memory, and plays how the graph came to be. */
export function TimeSlider({ from, at, onMove, onRest }: TimeProps) {
  const days = Math.max(1, Math.ceil((Date.now() - from) / DAY_MS))
  const place = at === undefined ? days : Math.min(days, Math.max(0, Math.floor((at - from) / DAY_MS)))
  const momentOf = (day: number) => (day >= days ? undefined : endOfDay(from + day * DAY_MS))
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    if (!isPlaying) return
    let step = place >= days ? 0 : (place / days) * STEPS
    const timer = setInterval(() => {
      step += 1
      onMove(momentOf(Math.round((step / STEPS) * days)))
      if (step >= STEPS) setPlaying(false)
    }, STEP_MS)
    return () => clearInterval(timer)
  }, [isPlaying])
  const words = at === undefined ? 'Today' : DAY.format(at)
  return (
    <div class="graph-time">
      <Button
        kind="icon"
        icon={isPlaying ? 'pause' : 'play'}
        aria-label={isPlaying ? 'Stop' : 'Play how it came to be'}
        onClick={() => setPlaying(!isPlaying)}
      />
      <span class="quiet">{DAY.format(from)}</span>
      <input
        type="range"
        min={0}
        max={days}
        value={place}
        aria-label="As it was known on"
        aria-valuetext={words}
        onInput={event => {
          setPlaying(false)
          onMove(momentOf(Number(event.currentTarget.value)))
        }}
        onChange={event => onRest(momentOf(Number(event.currentTarget.value)))}
      />
      <output>{words}</output>
    </div>
  )
}

/** What became known in the course of a day is part of it. */
const endOfDay = (at: number): number => new Date(at).setHours(23, 59, 59, 999)

/** The reader's choices stand in the address, so that a link shows the same. */
export interface Sight {
  readonly filters: Filters
  readonly isTogether: boolean
  readonly isList: boolean
  set(changes: Record<string, unknown>): void
}

export function useSight(): Sight {
  const { query, set } = useAddress()
  const { types = '', relations = '', weight = '0', former = '', as_of = '', together = '', view = '' } = query
  const filters = useMemo(
    () => ({
      hiddenTypes: new Set(types.split(',').filter(Boolean)),
      relations: new Set(relations.split(',').filter(Boolean)),
      weightMin: Math.min(1, Math.max(0, Number(weight) || 0)),
      hasFormer: former !== 'no',
      at: instantOf(as_of),
    }),
    [types, relations, weight, former, as_of],
  )
  return { filters, isTogether: together === 'yes', isList: view === 'list', set }
}

/** The last instant of a day in the reader's zone; undefined for what is no day. */
export function instantOf(day: string): number | undefined {
  const instant = Date.parse(`${day}T23:59:59.999`)
  return Number.isNaN(instant) ? undefined : instant
}

/** Adds a word to a list in the address, or takes it out. */
export function toggled(list: ReadonlySet<string>, word: string): string {
  const others = [...list].filter(each => each !== word)
  return (list.has(word) ? others : [...others, word]).join(',')
}
