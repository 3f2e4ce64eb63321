import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../parts.tsx'

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
  const place = at === undefined ? days : Math.min(days, Math.max(0, Math.round((at - from) / DAY_MS)))
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
