import type { ComponentChildren } from 'preact'
import { Badge, told as plain } from './parts.tsx'

type Job = { status: string; error?: string | null }

/** Tells whether the service still works on a job, an export or an import. */
export const isUnderWay = ({ status }: Job) => status === 'PENDING' || status === 'PROCESSING'

/** Tells whether a list holds something that the service still works on. */
export const anyUnderWay = ({ data }: { readonly data: readonly Job[] }) => data.some(isUnderWay)

interface StateProps {
  readonly job: Job
  /** What the bar is about. */
  readonly label: string
  readonly done: number
  /** Where it is unknown, the bar only shows that something happens. */
  readonly total: number | null
  readonly told?: (count: number) => string
  readonly unit: string
  readonly children?: ComponentChildren
}

/** How far a job is, or why it failed. */
export const State = ({ job, label, done, total, told = plain, unit, children }: StateProps) => (
  <div class="state">
    <Badge>{job.status}</Badge>
    {isUnderWay(job) && <progress aria-label={label} {...(total ? { max: total, value: done } : {})} />}
    {isUnderWay(job) && total && <small class="quiet">{`${told(done)} of ${told(total)} ${unit}`}</small>}
    {job.error && <small dir="auto">{job.error}</small>}
    {children}
  </div>
)

const STEP = 1024
const UNITS = ['bytes', 'KB', 'MB', 'GB']

/** @param bytes told as people read it: `1.5 MB` */
export function sizeOf(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)))
  const amount = bytes / STEP ** step
  return `${amount.toLocaleString('en', { maximumFractionDigits: step === 0 || amount >= 10 ? 0 : 1 })} ${UNITS[step]}`
}
